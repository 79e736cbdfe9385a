"""Families of templates, one function for each small world, all of our own writing."""
