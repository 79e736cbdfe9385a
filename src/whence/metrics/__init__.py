"""Measures: what each item is worth, and how items are combined into one figure."""
