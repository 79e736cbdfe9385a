"""Pages in a browser: server-rendered, and complete without a script.

`application` puts an application together from sections; `security` keeps it safe; `pages` fills templates;
`faults` are the pages of what goes wrong. A section is an entry of the navigation with its own pages.
"""
