"""Exact search: answers that come with a proof that there is no better one."""
