"""Questions and answers as users type them."""

from __future__ import annotations

from whence.structures.facts import Question
from whence.tasks.form_inputs import FormInputs, Text

_TEXTS = (Text("question", "the question"), Text("answer", "the right answer"))

FORM_INPUTS = FormInputs(_TEXTS, Question)
