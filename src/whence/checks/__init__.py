"""Rules that make an explanation well-formed. A rule that is broken gives a `Problem`, never an exception."""
