"""Ways to explain how one observation led to another: to choose between hypotheses, and to write one."""

from __future__ import annotations

from whence.tasks.abduction.methods.hypotheses.hypotheses import METHOD as HYPOTHESES
from whence.tasks.abduction.methods.judged.method import METHOD as JUDGED
from whence.tasks.abduction.methods.llm.prompt import CHOOSE_PROMPT, WRITE_PROMPT
from whence.tasks.method import Method
from whence.tasks.prompting import prompted_method

METHODS: dict[str, tuple[Method, ...]] = {
    "anli": (JUDGED, prompted_method(CHOOSE_PROMPT)),
    "anlg": (HYPOTHESES, prompted_method(WRITE_PROMPT)),
}
