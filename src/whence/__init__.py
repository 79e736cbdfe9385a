"""Structured explanations: the graph, tree, facts, triplets or hypothesis that says why."""

__version__ = "0.1.0"
