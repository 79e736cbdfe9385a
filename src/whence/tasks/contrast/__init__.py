"""Contrast sets: does a conclusion follow from premises, contradict them, or is it unknown?

The task is in `task`. `families` makes small worlds by template, with labels known by construction;
`written_worlds` has those written by hand; `steps` changes steps and trees that people wrote, `given` reads them
from EntailmentBank; `mixing` adds premises that do not matter and balances labels. The same seed gives the same
set.
"""
