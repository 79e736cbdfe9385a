"""Gold explanations as language models write them: one function a style, made without the readers' help."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from whence.structures.results import Example

Style = Callable[[Example[Any, Any]], str]


def _camel(relation: str) -> str:
    return "".join(word.capitalize() for word in relation.split())


def _words(relation: str) -> str:
    """A relation in a sentence."""
    plain = relation.casefold()
    spoken = {
        "capable of": "is capable of",
        "not capable of": "isn't capable of",
        "part of": "is part of",
        "not part of": "is not part of",
        "used for": "is used for",
        "not causes": "does not cause",
        "not desires": "does not desire",
        "made of": "is made of",
    }
    return spoken.get(plain, plain)


# Answers in JSON, whatever they say.


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


JSON_STYLES: dict[str, Callable[[Any], str]] = {
    "bare": _dumped,
    "indented": lambda value: json.dumps(value, indent=2),
    "fenced": lambda value: f"```json\n{json.dumps(value, indent=4)}\n```",
    "preamble": lambda value: (
        f"Sure! Here is my answer:\n\n```json\n{_dumped(value)}\n```\n\nLet me know if you need more."
    ),
    "explanation": lambda value: _dumped({"explanation": value}),
    "record": lambda value: _dumped({"whence": 1, "id": "x", "explanation": value}),
    "answer": lambda value: _dumped({"answer": value}),
    "in a list": lambda value: _dumped([value]),
    "thought": lambda value: f'<think>\nMaybe {{"a": 1}}? No.\n</think>\n\n{_dumped(value)}',
    "thought without beginning": lambda value: f"I think hard.\n</think>\n{_dumped(value)}",
    "reasoning": lambda value: f"Reasoning: it is plain to see.\n\nAnswer: {_dumped(value)}",
    "trailing comma": lambda value: re.sub(r"([}\]])$", r",\1", _dumped(value)),
    "smart quotes": lambda value: re.sub(r'"([^"]*)"', r"“\1”", _dumped(value)),
    "python": lambda value: repr(value),
    "comment": lambda value: json.dumps(value, indent=1).replace("\n", "\n  // the answer\n", 1),
    "final": lambda value: f"**Final answer:**\n\n{_dumped(value)}",
    "entities": lambda value: _dumped(value).replace('"', "&quot;"),
    "tag": lambda value: f"<answer>{_dumped(value)}</answer>",
}


# Graphs.


def _edges(example: Example[Any, Any]) -> list[tuple[str, str, str]]:
    gold = example.golds[0]
    edges = gold.graph.edges if hasattr(gold, "graph") else gold.triplets
    return [(_end(edge.head), edge.relation, _end(edge.tail)) for edge in edges]


def _end(end: Any) -> str:
    return end if isinstance(end, str) else str(end.text)


def _each(form: str, start: str = "", between: str = "\n", number: bool = False) -> Style:
    def style(example: Example[Any, Any]) -> str:
        rows = []
        for index, (head, relation, tail) in enumerate(_edges(example), 1):
            row = form.format(h=head, r=relation, t=tail, c=_camel(relation), s=relation.replace(" ", "_"))
            rows.append(f"{index}. {row}" if number else f"{start}{row}")
        return between.join(rows)

    return style


def _table(example: Example[Any, Any]) -> str:
    rows = [f"| {head} | {relation} | {tail} |" for head, relation, tail in _edges(example)]
    return "\n".join(["| Head | Relation | Tail |", "|---|---|---|", *rows])


def _parts(example: Example[Any, Any]) -> str:
    return "\n".join(
        f"- Head: {head}, Relation: {relation}, Tail: {tail}" for head, relation, tail in _edges(example)
    )


TRIPLE_STYLES: dict[str, Style] = {
    "published": _each("({h}; {r}; {t})", between=""),
    "lines": _each("{h}; {r}; {t}"),
    "arrows": _each("{h} -> {r} -> {t}", start="- "),
    "double arrows": _each("{h} => {r} => {t}", number=True),
    "long arrows": _each("{h} --> {r} --> {t}", start="* "),
    "unicode arrows": _each("{h} → {r} → {t}", number=True),
    "heavy arrows": _each("{h} ⇒ {r} ⇒ {t}", start="• "),
    "labelled arrows": _each("{h} --[{r}]--> {t}"),
    "round brackets": _each("({h}, {r}, {t})", start="- "),
    "square brackets": _each("[{h}, {r}, {t}]", number=True),
    "quoted": _each('("{h}", "{r}", "{t}")', start="- "),
    "camel case": _each("({h}; {c}; {t})"),
    "snake case": _each("{h} -> {s} -> {t}"),
    "bars": _each("{h} | {r} | {t}"),
    "bold": _each("**{h}** → *{r}* → **{t}**", number=True),
    "table": _table,
    "parts": _parts,
}


def _graph_texts() -> dict[str, Style]:
    frames = [
        "{stance}\n{edges}",
        "**Stance:** {stance}\n\n**Graph:**\n{edges}",
        "## Stance\n{stance}\n\n## Explanation graph\n{edges}",
        "Sure! Let me think about this.\n\nStance: {stance}\n\nGraph:\n```\n{edges}\n```\n\nI hope this helps!",
        "<think>Perhaps the other way round?</think>The argument {verb} the belief.\n\nEdges:\n{edges}",
    ]

    def framed(style: Style, frame: str) -> Style:
        def write(example: Example[Any, Any]) -> str:
            stance = example.golds[0].stance
            return frame.format(stance=stance, verb=f"{stance}s", edges=style(example))

        return write

    return {
        f"{name}, frame {number}": framed(style, frame)
        for name, style in TRIPLE_STYLES.items()
        for number, frame in enumerate(frames)
    }


def graph_value(example: Example[Any, Any]) -> Any:
    """A graph as JSON."""
    edges = [{"head": head, "relation": relation, "tail": tail} for head, relation, tail in _edges(example)]
    return {"stance": example.golds[0].stance, "graph": edges}


# Trees.


def _step_lines(form: Callable[[int, list[str], str, str], str]) -> Style:
    def write(example: Example[Any, Any]) -> str:
        steps = example.golds[0].steps
        return "\n".join(
            form(n, list(step.premises), step.conclusion, step.text) for n, step in enumerate(steps, 1)
        )

    return write


def _named(conclusion: str, text: str) -> str:
    return f"{conclusion}: {text}" if text else conclusion


def _own(example: Example[Any, Any], style: Style) -> str:
    sentences = "".join(f"{one.id}: {one.text}\n" for one in example.golds[0].sentences)
    return sentences + style(example)


TREE_STYLES: dict[str, Style] = {
    "published": lambda e: (
        "$proof$ = " + _step_lines(lambda n, p, c, t: f"{' & '.join(p)} -> {_named(c, t)};")(e).replace("\n", " ")
    ),
    "proof": lambda e: "Proof:\n" + _step_lines(lambda n, p, c, t: f"{' & '.join(p)} -> {_named(c, t)}")(e),
    "bold proof": lambda e: (
        "**Proof:**\n\n" + _step_lines(lambda n, p, c, t: f"- {' & '.join(p)} → {_named(c, t)}")(e)
    ),
    "plus": _step_lines(lambda n, p, c, t: f"{n}. {' + '.join(p)} => {_named(c, t)}"),
    "steps": _step_lines(lambda n, p, c, t: f"Step {n}: {', '.join(p)} -> {_named(c, t)}"),
    "bold steps": _step_lines(lambda n, p, c, t: f"**Step {n}:** {' and '.join(p)} ⇒ {_named(c, t)}"),
    "long arrows": _step_lines(lambda n, p, c, t: f"* {' & '.join(p)} --> {_named(c, t)}"),
    "bracketed": _step_lines(lambda n, p, c, t: f"{n}) {' & '.join(f'[{one}]' for one in p)} -> {_named(c, t)}"),
    "from": _step_lines(
        lambda n, p, c, t: (
            f"From {' and '.join(p)}, it follows that {t} ({c})."
            if t
            else f"From {' and '.join(p)}, we can conclude the hypothesis."
        )
    ),
    "combining": _step_lines(
        lambda n, p, c, t: (
            f"{n}. Combining {', '.join(p[:-1])} and {p[-1]}, we get {_named(c, t)}."
            if len(p) > 1
            else f"{n}. From {p[0]}, we get {_named(c, t)}."
        )
    ),
    "fenced": lambda e: (
        "Here is the proof:\n```\n"
        + _step_lines(lambda n, p, c, t: f"{' & '.join(p)} -> {_named(c, t)}")(e)
        + "\n```\nThis completes the proof."
    ),
    "capital H": _step_lines(
        lambda n, p, c, t: f"{' & '.join(p)} -> {'H' if c == 'hypothesis' else _named(c, t)}"
    ),
    "the hypothesis": _step_lines(
        lambda n, p, c, t: f"{' & '.join(p)} -> {'the hypothesis' if c == 'hypothesis' else _named(c, t)}"
    ),
    "backward": _step_lines(lambda n, p, c, t: f"{_named(c, t)} <- {' & '.join(p)}"),
    "table": lambda e: (
        "| Step | Premises | Conclusion |\n|---|---|---|\n"
        + _step_lines(lambda n, p, c, t: f"| {n} | {', '.join(p)} | {_named(c, t)} |")(e)
    ),
    "thought": lambda e: (
        "<think>sent1 -> int9?</think>\n" + _step_lines(lambda n, p, c, t: f"{' & '.join(p)} -> {_named(c, t)}")(e)
    ),
    "latex": _step_lines(lambda n, p, c, t: f"{' & '.join(p)} $\\rightarrow$ {_named(c, t)}"),
}


def tree_value(example: Example[Any, Any]) -> Any:
    """A tree as JSON."""
    gold = example.golds[0]
    steps = [
        {
            "premises": list(step.premises),
            "conclusion": step.conclusion,
            **({"text": step.text} if step.text else {}),
        }
        for step in gold.steps
    ]
    own = [{"id": one.id, "text": one.text} for one in gold.sentences]
    return {"steps": steps, **({"sentences": own} if own else {})}


# Facts.


def _uses(example: Example[Any, Any]) -> list[Any]:
    return [use for use in example.golds[0].facts if use.gold]


def fact_styles(facts: Any) -> dict[str, Style]:
    """Facts by id or in words."""

    def lines(form: str, number: bool = False) -> Style:
        def write(example: Example[Any, Any]) -> str:
            rows = [
                form.format(id=use.id, role=use.role, text=facts[use.id].text, n=n)
                for n, use in enumerate(_uses(example), 1)
            ]
            return "\n".join(rows)

        return write

    listed = {
        "ids": "{id}",
        "bullets": "- {id}",
        "numbered": "{n}. {id}",
        "texts": "- {text}",
        "numbered texts": "{n}. {text}.",
        "bold texts": "* **{text}**",
        "id and text": "- {id}: {text}",
        "text and id": "{n}. {text} ({id})",
        "bracketed": "- [{id}] {text}",
        "code": "- `{id}`",
        "roles": "{id} | {role} | {text}",
        "role first": "- {role}: {text}",
        "quoted": '- "{text}"',
        "capitals": "{n}) {id}",
        "fact labels": "Fact {n}: {text}",
    }
    styles = {name: lines(form) for name, form in listed.items()}
    plain = lines("- {text}")
    styles["heading"] = lambda e: f"## Facts\n\n{plain(e)}\n\nThese facts explain the answer."
    styles["chatty"] = lambda e: f"Sure! The answer follows from these facts:\n\n{plain(e)}\n\nHope this helps!"
    rows = lines("| {n} | {id} | {text} |")
    styles["table"] = lambda e: f"| # | id | text |\n|---|---|---|\n{rows(e)}"
    return styles


def fact_value(example: Example[Any, Any]) -> Any:
    """Facts as JSON."""
    return {"facts": [use.id for use in _uses(example)]}


# Labels, spans, sentences.

LETTERS = "ABCD"

_CHOSEN = {
    "alone": "{0}",
    "answer": "Answer: {0}",
    "bold answer": "**Answer:** {0}",
    "final": "Let me compare them.\n\n**Final Answer: {0}**",
    "sentence": "The answer is {0}.",
    "correct": "The correct answer is **{0}**, because it fits.",
    "boxed": "So we get $\\boxed{{{0}}}$.",
    "boxed text": "\\boxed{{\\text{{{0}}}}}",
    "thought": "<think>Could be another.</think>\n{0}",
    "heading": "### Answer\n{0}",
    "reason first": "Reasoning: the rest does not fit.\nAnswer: {0}",
    "reason last": "{0}\n\nThe others do not fit what was said.",
    "chose": "I would choose {0}.",
    "fence": "```\n{0}\n```",
    "tag": "<answer>{0}</answer>",
    "quoted": 'The answer is "{0}".',
    "label": "Label: {0}",
}


def choice_styles(task: str) -> dict[str, Style]:
    """The name of a label in sentences; numbers, letters and words of options where a task has them."""

    def style(form: str, name: Callable[[Example[Any, Any]], str]) -> Style:
        return lambda example: form.format(name(example))

    def label(example: Example[Any, Any]) -> str:
        return str(example.golds[0].name)

    styles = {f"{name}": style(form, label) for name, form in _CHOSEN.items()}
    if task in ("anli", "cider-choice"):
        noun = "Hypothesis" if task == "anli" else "Option"
        first = 1 if task == "anli" else 0
        texts: Callable[[Example[Any, Any]], list[str]] = (
            (lambda e: [e.inputs.hyp1, e.inputs.hyp2]) if task == "anli" else (lambda e: list(e.inputs.options))
        )

        def letter(example: Example[Any, Any]) -> str:
            return LETTERS[int(label(example)) - first]

        def words(example: Example[Any, Any]) -> str:
            return texts(example)[int(label(example)) - first]

        for name, form in _CHOSEN.items():
            styles[f"{name}, letter"] = style(form, lambda e: f"({letter(e)})")
            styles[f"{name}, noun"] = style(form, lambda e: f"{noun} {label(e)}")
        styles["words"] = words
        styles["the answer is words"] = lambda e: f'The answer is: "{words(e)}"'
        styles["letter and words"] = lambda e: f"{letter(e)}) {words(e)}"
        styles["noun and words"] = lambda e: f"**{noun} {label(e)}:** {words(e)}"
        styles["best"] = lambda e: f"{noun} {label(e)} is the more plausible one, since it explains both."
    if task == "cider-relation":
        styles["camel case"] = lambda e: _camel(label(e))
        styles["snake case"] = lambda e: f"Relation: {label(e).lower().replace(' ', '_')}"
        styles["lower case"] = lambda e: f"relation = {label(e).lower()}"
    if task == "cider-nli":
        styles["yes"] = lambda e: "Yes" if label(e) == "entailed" else "No"
        styles["yes because"] = lambda e: ("Yes" if label(e) == "entailed" else "No") + ", because of what B says."
        styles["statement"] = lambda e: f"The triplet is {label(e)} by the dialogue."
        styles["entailment"] = lambda e: "entailment" if label(e) == "entailed" else "not_entailment"
        styles["flag"] = lambda e: json.dumps({"entailed": label(e) == "entailed"})
    return styles


def label_value(example: Example[Any, Any]) -> Any:
    """A label as JSON."""
    return {"label": example.golds[0].name}


def text_value(example: Example[Any, Any]) -> Any:
    """A span or a hypothesis as JSON."""
    key = "answer" if hasattr(example.inputs, "question") else "hypothesis"
    return {key: example.golds[0].text}


def text_styles(noun: str) -> dict[str, Style]:
    """A span or a hypothesis in sentences."""
    forms = {
        "alone": "{0}",
        "quoted": '"{0}"',
        "bold": "**{0}**",
        "label": noun + ": {0}",
        "bold label": "**" + noun + ":** {0}",
        "quoted label": noun + ': "{0}"',
        "heading": "## " + noun + "\n{0}",
        "final": "Final answer: {0}",
        "boxed": "\\boxed{{{0}}}",
        "fence": "```\n{0}\n```",
        "thought": "<think>Hm, what was it?</think>{0}",
        "tag": "<answer>{0}</answer>",
        "preamble": "Sure! Here is my answer:\n\n" + noun + ": {0}",
        "closing": noun + ": {0}\n\nLet me know if you need anything else!",
        "answer is": "Reasoning: it must be so.\nAnswer: {0}",
        "smart": "“{0}”",
    }

    def style(form: str) -> Style:
        return lambda example: form.format(example.golds[0].text)

    return {name: style(form) for name, form in forms.items()}


GRAPH_STYLES = _graph_texts()
