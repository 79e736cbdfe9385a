"""What keeps pages safe: headers, limits of size and rate, and proof that a form came from a page of ours.

Everything here is small and knows nothing of what the pages show, so that all sections share it.
"""
