"""The report of a run as one HTML page that needs nothing else, neither a network nor a script.

`page` puts the parts together: the tables of `figures`, the `supported` answers, the `slices` and the browser of
`items`; `plots` draws the small charts, `pictures` the explanations, and `outcomes` says which items are right.
`markup` escapes all texts.
"""

from whence.pipeline.report.page import report_page

__all__ = ["report_page"]
