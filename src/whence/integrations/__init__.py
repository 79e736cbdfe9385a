"""Tasks, prompts and scores for other people's harnesses and trainers, one module a package.

`questions.py` has what they all ask a model and how its answers are judged. The other modules import the package
that they are named after, so that whence works without any of them.
"""
