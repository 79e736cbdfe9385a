"""Reads what language models write: one tolerant reader for every kind of explanation.

A reader takes the text of an answer and what is needed to understand it (relations, sentences, options), and
returns the explanation, or `Unread` with the reason in one line. From text to explanation:

1. `clean`: line ends, invisible characters, entities, quotation marks; `thinking`: what comes before the answer;
2. `candidates`: the parts of the text that may be the answer, those marked as final first;
3. `json_values`, `blocks`: the JSON values, fences, headings, list items, labels and tables of such a part;
4. `graph`, `tree`, `triplets`, `facts`, `choice`, `span`, `hypothesis`: what these say, one module a kind.

A reader never guesses. Two answers that differ are no answer unless the last one is marked as final; a step from
a sentence that is not given leaves the whole answer unread. So does a relation that is none of the task's, unless
JSON or semicolons tell the parts of its triple apart: then it stays as it is, for the task's rules to judge.
"""

from whence.formats.llm_text.unread import Unread

__all__ = ["Unread"]
