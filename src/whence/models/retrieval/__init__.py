"""Retrieval: an index of texts by their words, vectors beside it, and what training explanations tell."""
