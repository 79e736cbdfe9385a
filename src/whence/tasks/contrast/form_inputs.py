"""Facts and a claim as users type them."""

from __future__ import annotations

from whence.models.verifier.entailment import Inference
from whence.tasks.form_inputs import FormField, FormInputs, Text

FORM_INPUTS = FormInputs(
    (
        Text("fact", "what is known, one sentence (can be repeated)", most=None),
        Text("claim", "what may follow from it"),
    ),
    Inference,
    {"premises": FormField("Facts", "One per line"), "conclusion": FormField("Claim")},
)
