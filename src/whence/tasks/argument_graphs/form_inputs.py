"""Beliefs and arguments as users type them."""

from __future__ import annotations

from whence.structures.graph import Argument
from whence.tasks.form_inputs import FormInputs, Text

_TEXTS = (Text("belief", "the belief"), Text("argument", "the argument for or against it"))

FORM_INPUTS = FormInputs(_TEXTS, Argument)
