"""Frozen values: what explanations are made of."""
