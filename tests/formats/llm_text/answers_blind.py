"""Answers as models of many kinds would write them, each made of a bundled sample, and what must be read in them.

They were written without a look at the readers: GPT-4o, Claude, Llama, Qwen and DeepSeek-R1 with their headings, fences,
thoughts and remarks, a fine-tuned T5, and a small model that runs on, repeats the prompt or stops early.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from whence.structures.results import Example
from whence.tasks import TASKS
from whence.tasks.loading import samples

GOLD, UNREAD, SAFE = "gold", "unread", "gold or unread"
Expected = str | Callable[[Any, Any], bool]
"""One of the three names, or a condition on what is read (None: unread) and the gold explanation."""


class Written(NamedTuple):
    task: str
    name: str
    example: Example[Any, Any]
    text: str
    expected: Expected


ROWS: list[Written] = []


@cache
def data(task: str) -> Any:
    return samples(TASKS[task])


def add(task: str, name: str, k: int, expected: Expected = GOLD) -> Callable[[Callable[[Any, Any], str]], None]:
    """Adds the text that is made of the k-th sample and its gold explanation."""

    def written(make: Callable[[Any, Any], str]) -> None:
        examples = data(task).examples
        example = examples[k % len(examples)]
        ROWS.append(Written(task, name, example, make(example, example.golds[0]), expected))

    return written


# explagraphs
T = "explagraphs"


def obj(g):
    return {
        "stance": g.stance,
        "graph": [{"head": x.head, "relation": x.relation, "tail": x.tail} for x in g.graph.edges],
    }


def other(s):
    return "counter" if s == "support" else "support"


def tri(g, f):
    return [f.format(h=x.head, r=x.relation, t=x.tail, n=n) for n, x in enumerate(g.graph.edges, 1)]


W = {
    "is a": "is a",
    "is not a": "isn't a",
    "capable of": "is capable of",
    "not capable of": "is not capable of",
    "causes": "causes",
    "not causes": "does not cause",
    "desires": "desires",
    "not desires": "does not desire",
    "part of": "is part of",
    "not part of": "is not part of",
    "used for": "is used for",
    "not used for": "is not used for",
    "has property": "has property",
    "not has property": "does not have property",
    "has context": "has context",
    "not has context": "does not have context",
    "created by": "is created by",
    "not created by": "is not created by",
    "antonym of": "is the antonym of",
    "synonym of": "is a synonym of",
    "at location": "is at location",
    "not at location": "is not at location",
    "has subevent": "has subevent",
    "not has subevent": "does not have subevent",
    "made of": "is made of",
    "not made of": "is not made of",
    "receives action": "receives action",
    "not receives action": "does not receive action",
}
add(T, "gpt4o-fenced", 0)(lambda e, g: "```json\n" + json.dumps(obj(g), indent=2) + "\n```")
add(T, "claude-headings-arrows", 1)(
    lambda e, g: (
        f"I'll work through how the argument bears on the belief.\n\n**Stance:** {g.stance.capitalize()}\n\n**Explanation graph:**\n\n"
        + "\n".join(tri(g, "{n}. `{h}` → *{r}* → `{t}`"))
        + f"\n\nThis graph shows how the argument {'supports' if g.stance == 'support' else 'counters'} the belief: each fact leads to the next."
    )
)
add(T, "llama-preamble", 2)(
    lambda e, g: (
        "Here is the JSON answer:\n\n"
        + json.dumps(obj(g))
        + "\n\nLet me know if you'd like me to clarify any of the facts!"
    )
)
add(T, "r1-think-other-json", 3)(
    lambda e, g: (
        f'<think>\nOkay, the belief is "{e.inputs.belief}" A first idea: '
        + json.dumps(
            {
                "stance": other(g.stance),
                "graph": [{"head": "a first idea", "relation": "causes", "tail": "nothing"}],
            }
        )
        + "\nHmm, wait, that is wrong.\n</think>\n\n"
        + json.dumps(obj(g))
    )
)
add(T, "r1-only-closing-think", 4)(
    lambda e, g: (
        f"Okay, so I need to say if it is support or counter. It might be {other(g.stance)}: (first idea; causes; nothing)(nothing; is a; idea)(idea; part of; belief)\n</think>\n\n"
        + json.dumps(obj(g), indent=1)
    )
)
add(T, "t5-spaces", 5)(lambda e, g: g.stance + " " + "".join(tri(g, "({h}; {r}; {t})")))
add(T, "t5-comma-no-space", 6)(lambda e, g: g.stance + " " + " ".join(tri(g, "({h},{r},{t})")))
add(T, "1b-python-dict", 7)(lambda e, g: str(obj(g)))
add(T, "1b-truncated", 8, UNREAD)(lambda e, g: json.dumps(obj(g))[:-45])
add(T, "qwen-table", 9)(
    lambda e, g: (
        f"### Stance\n\n{g.stance}\n\n### Graph\n\n| Head | Relation | Tail |\n|------|----------|------|\n"
        + "\n".join(tri(g, "| {h} | {r} | {t} |"))
    )
)
add(T, "qwen-bold-dashes", 10)(
    lambda e, g: (
        f"### Stance: {g.stance.upper()}\n\n### Facts:\n" + "\n".join(tri(g, "- **{h}** -- {r} --> **{t}**"))
    )
)
add(T, "1b-echo-prompt", 11)(
    lambda e, g: f"Belief: {e.inputs.belief}\nArgument: {e.inputs.argument}\nAnswer: " + json.dumps(obj(g))
)
add(T, "base-runs-on", 12, SAFE)(
    lambda e, g: (
        json.dumps(obj(g))
        + "\n\nBelief: Cats make good pets.\nArgument: Cats scratch chairs.\n"
        + json.dumps(
            {
                "stance": other(g.stance),
                "graph": [
                    {"head": "cats", "relation": "causes", "tail": "scratches"},
                    {"head": "scratches", "relation": "is not a", "tail": "good"},
                    {"head": "good", "relation": "part of", "tail": "pets"},
                ],
            }
        )
    )
)
add(T, "cypher", 13)(lambda e, g: f"stance: {g.stance}\n" + "\n".join(tri(g, "({h})-[{r}]->({t})")))
add(T, "sentences-in-words", 0)(
    lambda e, g: (
        f"The argument {g.stance}s the belief.\n\n"
        + "\n".join(f"- {x.head} {W[x.relation]} {x.tail}" for x in g.graph.edges)
    )
)
add(T, "brackets-in-words", 0)(
    lambda e, g: (
        f"Stance: {g.stance}\nGraph:\n"
        + "\n".join(f"[{x.head}] — {W[x.relation]} — [{x.tail}]" for x in g.graph.edges)
    )
)
add(T, "nodes-and-edges", 14)(
    lambda e, g: json.dumps(
        {
            "stance": g.stance,
            "graph": {
                "nodes": sorted({x.head for x in g.graph.edges} | {x.tail for x in g.graph.edges}),
                "edges": [{"source": x.head, "label": x.relation, "target": x.tail} for x in g.graph.edges],
            },
        }
    )
)
add(T, "list-triples", 15)(
    lambda e, g: json.dumps({"stance": g.stance, "graph": [[x.head, x.relation, x.tail] for x in g.graph.edges]})
)
add(T, "string-triples", 16)(
    lambda e, g: json.dumps({"stance": g.stance.capitalize(), "explanation": tri(g, "({h}; {r}; {t})")})
)
add(T, "changed-mind-final", 17)(
    lambda e, g: (
        f"At first glance the argument might {other(g.stance)} the belief. However, looking closer, it does the opposite.\n\nFinal answer: {g.stance}\n"
        + "".join(tri(g, "({h}; {r}; {t})"))
    )
)
add(T, "both-stances", 18, UNREAD)(
    lambda e, g: (
        "The argument could support or counter the belief, depending on the reader.\n"
        + "\n".join(tri(g, "({h}; {r}; {t})"))
    )
)
add(T, "does-not-support", 19, lambda v, g: v is None or v.stance == "counter")(
    lambda e, g: "The argument does not support the belief.\n" + "\n".join(tri(g, "({h}; {r}; {t})"))
)
add(T, "camel-case", 0)(
    lambda e, g: json.dumps(
        {
            "stance": g.stance,
            "graph": [
                {"head": x.head, "relation": "".join(w.capitalize() for w in x.relation.split()), "tail": x.tail}
                for x in g.graph.edges
            ],
        }
    )
)
add(T, "snake-case-fenced-no-lang", 0)(
    lambda e, g: (
        "Sure! Here's the explanation graph:\n```\n"
        + g.stance
        + "\n"
        + "\n".join(f"({x.head}, {x.relation.replace(' ', '_')}, {x.tail})" for x in g.graph.edges)
        + "\n```\nI hope this helps."
    )
)
add(T, "two-json-different", 1, UNREAD)(
    lambda e, g: (
        "Option A:\n" + json.dumps(obj(g)) + "\n\nOption B:\n" + json.dumps({**obj(g), "stance": other(g.stance)})
    )
)
add(T, "corrected-json", 2, SAFE)(
    lambda e, g: (
        json.dumps({"stance": other(g.stance), "graph": obj(g)["graph"][:3]})
        + "\n\nWait, that is wrong. Here is the corrected answer:\n\n"
        + json.dumps(obj(g))
    )
)
add(T, "template-echo", 3, UNREAD)(
    lambda e, g: '{"stance": "support" or "counter", "graph": [{"head": ..., "relation": ..., "tail": ...}]}'
)
add(T, "refusal", 4, UNREAD)(lambda e, g: "I'm sorry, but I can't help with that.")
add(T, "smart-quotes-trailing-comma", 5)(
    lambda e, g: json.dumps(obj(g)).replace('"', "”").replace("{”", "{“").replace("]}", "],}")
)


@add(T, "mermaid", 6, SAFE)
def _(e, g):
    names = {}
    out = []
    for x in g.graph.edges:
        for c in (x.head, x.tail):
            names.setdefault(c, chr(65 + len(names)))
        out.append(f"    {names[x.head]}[{x.head}] -->|{x.relation}| {names[x.tail]}[{x.tail}]")
    return f"**Stance**: {g.stance}\n\n```mermaid\ngraph LR\n" + "\n".join(out) + "\n```"


add(
    T,
    "unknown-relation",
    7,
    lambda v, g: (
        v is None or all(x.relation != "causes" or any(y == x for y in g.graph.edges) for x in v.graph.edges)
    ),
)(lambda e, g: g.stance + "\n" + "\n".join(tri(g, "({h}; sometimes leads to; {t})")))
add(T, "stance-only", 8, UNREAD)(lambda e, g: f"The stance is {g.stance}.")
add(T, "labelled-fields", 9)(
    lambda e, g: f"Stance: {g.stance}\n\n" + "\n\n".join(tri(g, "Fact {n}:\nHead: {h}\nRelation: {r}\nTail: {t}"))
)
add(T, "xml-answer-tag", 10)(
    lambda e, g: (
        "<reasoning>The argument is about something.</reasoning>\n<answer>\n" + json.dumps(obj(g)) + "\n</answer>"
    )
)
add(T, "explained-bullets", 11)(
    lambda e, g: (
        f"**Stance:** {g.stance}\n\n**Graph:**\n"
        + "\n".join(tri(g, "* ({h}; {r}; {t}): this follows from everyday knowledge."))
    )
)
add(T, "negation-in-word-relation", 0, GOLD)(
    lambda e, g: json.dumps(
        {
            "stance": g.stance,
            "graph": [{"head": x.head, "relation": W[x.relation], "tail": x.tail} for x in g.graph.edges],
        }
    )
)

# worldtree
T = "worldtree"


def facts():
    return data("worldtree").facts


def ids(g):
    return [f.id for f in g.facts if f.gold]


def tx(i):
    return facts()[i].text


add(T, "gpt4o-ids-json", 0)(lambda e, g: json.dumps({"facts": ids(g)}))
add(T, "bare-list-fenced", 1)(lambda e, g: "```json\n" + json.dumps(ids(g), indent=1) + "\n```")
add(T, "numbered-id-text", 2)(
    lambda e, g: (
        "The following facts explain the answer:\n\n"
        + "\n".join(f"{n}. {i}: {tx(i)}" for n, i in enumerate(ids(g), 1))
        + "\n\nTogether these show why the answer is correct."
    )
)
add(T, "bullets-text-only", 3)(lambda e, g: "Facts:\n" + "\n".join(f"- {tx(i)}" for i in ids(g)))
add(T, "bold-ids", 4)(
    lambda e, g: "\n".join(f"* **{i}** ({f.role}) – {tx(i)}" for f in g.facts if f.gold for i in [f.id])
)
add(T, "capitalised-sentences", 5)(
    lambda e, g: (
        "To answer this question we need these facts.\n\n"
        + "\n".join(f"{n}) {tx(i)[0].upper()}{tx(i)[1:]}." for n, i in enumerate(ids(g), 1))
    )
)
add(T, "comma-ids", 6)(lambda e, g: "Answer: " + ", ".join(ids(g)))


@add(T, "think-then-ids", 7)
def _(e, g):
    others = [i for i in facts() if i not in ids(g)][:3]
    return "<think>\nMaybe " + ", ".join(others) + " are relevant. No, not really.\n</think>\n" + "\n".join(ids(g))


add(T, "objects", 8)(lambda e, g: json.dumps({"explanation": [{"id": i, "text": tx(i)} for i in ids(g)]}))
add(T, "objects-fact", 9)(lambda e, g: json.dumps([{"rank": n, "fact": tx(i)} for n, i in enumerate(ids(g), 1)]))
add(T, "table", 10)(
    lambda e, g: (
        "| Rank | Fact ID | Fact |\n|---|---|---|\n"
        + "\n".join(f"| {n} | {i} | {tx(i)} |" for n, i in enumerate(ids(g), 1))
    )
)
add(T, "quoted-text", 11)(lambda e, g: "\n".join(f'{n}. "{tx(i)}"' for n, i in enumerate(ids(g), 1)))


@add(T, "not-relevant-section", 0, SAFE)
def _(e, g):
    others = [i for i in facts() if i not in ids(g)][:3]
    return (
        "Relevant facts:\n"
        + "\n".join(f"- {i}" for i in ids(g))
        + "\n\nNot relevant:\n"
        + "\n".join(f"- {i}" for i in others)
    )


add(T, "invented-facts", 1, UNREAD)(
    lambda e, g: "1. Everything in the universe is made of cheese and good will.\n2. Heat is a dance of tiny hats."
)
add(T, "refusal", 2, UNREAD)(lambda e, g: "I cannot determine the facts.")
add(T, "prose-only", 3, UNREAD)(lambda e, g: "The answer is correct because of how the world works.")


@add(T, "r1-closing-think", 4)
def _(e, g):
    others = [i for i in facts() if i not in ids(g)][:2]
    return f"Let me see, {others[0]} and {others[1]} could matter...\n</think>\n\n**Facts:** " + "; ".join(ids(g))


add(T, "text-paragraph-pipes", 5)(lambda e, g: " | ".join(ids(g)))
add(T, "own-record", 6)(
    lambda e, g: json.dumps(
        {"whence": 1, "task": "worldtree", "id": e.id, "explanation": {"facts": [{"id": i} for i in ids(g)]}}
    )
)

# cider
T = "cider"


def sp(y):
    return {"turn": y.turn + 1, "text": y.text} if y.turn is not None else {"text": y.text}


def tobj(g):
    return {"triplets": [{"head": sp(x.head), "relation": x.relation, "tail": sp(x.tail)} for x in g.triplets]}


def ttri(g, f):
    return [
        f.format(
            h=x.head.text, r=x.relation, t=x.tail.text, n=n, a=(x.head.turn or 0) + 1, b=(x.tail.turn or 0) + 1
        )
        for n, x in enumerate(g.triplets, 1)
    ]


add(T, "gpt4o", 0)(lambda e, g: "```json\n" + json.dumps(tobj(g), indent=2) + "\n```")
add(T, "claude", 1)(
    lambda e, g: (
        "Here are the triplets I identified:\n\n"
        + "\n".join(ttri(g, "{n}. **{h}** → {r} → **{t}**"))
        + "\n\nThese capture the main commonsense links."
    )
)
add(T, "plain-text-heads", 2)(
    lambda e, g: json.dumps(
        {"triplets": [{"head": x.head.text, "relation": x.relation, "tail": x.tail.text} for x in g.triplets]}
    )
)
add(T, "semicolons", 3)(lambda e, g: "\n".join(ttri(g, "({h}; {r}; {t})")))
add(T, "commas-quoted", 4)(lambda e, g: "\n".join(ttri(g, '("{h}", "{r}", "{t}")')))
add(T, "camel", 5)(
    lambda e, g: "\n".join(
        f"- {x.head.text} -> {x.relation.replace(' ', '')} -> {x.tail.text}" for x in g.triplets
    )
)
add(T, "turns-in-brackets", 0)(lambda e, g: "\n".join(ttri(g, '- "{h}" (turn {a}) — {r} — "{t}" (turn {b})')))
add(T, "lower-snake", 1)(
    lambda e, g: json.dumps([[x.head.text, x.relation.lower().replace(" ", "_"), x.tail.text] for x in g.triplets])
)
add(T, "think", 2)(lambda e, g: "<think>Maybe (you; Causes; look)? no.</think>" + json.dumps(tobj(g)))
add(T, "table", 3)(
    lambda e, g: "| Head | Relation | Tail |\n|:--|:--|:--|\n" + "\n".join(ttri(g, "| {h} | {r} | {t} |"))
)
add(T, "subject-predicate-object", 4)(
    lambda e, g: json.dumps(
        [{"subject": x.head.text, "predicate": x.relation, "object": x.tail.text} for x in g.triplets]
    )
)
add(T, "explained", 5)(lambda e, g: "\n".join(ttri(g, "{n}. ({h}; {r}; {t}) - the dialogue implies this.")))
add(T, "truncated", 0, UNREAD)(lambda e, g: json.dumps(tobj(g))[:-60])
add(T, "no-triplets", 1, UNREAD)(lambda e, g: "A and B talk about many things and are friendly.")
add(T, "head-not-in-dialogue", 2, lambda v, g: v is not None)(
    lambda e, g: "(purple zebras; Causes; submarine opera)"
)
add(T, "capitalised-spans", 3)(
    lambda e, g: "\n".join(
        f"({x.head.text.capitalize()}; {x.relation}; {x.tail.text.capitalize()})" for x in g.triplets
    )
)
add(T, "labelled", 4)(lambda e, g: "\n\n".join(ttri(g, "Triplet {n}\nHead: {h}\nRelation: {r}\nTail: {t}")))

# labels
T = "cider-nli"


def yn(g):
    return g.name


def fl(g):
    return "not entailed" if g.name == "entailed" else "entailed"


def neg(g):
    return g.name != "entailed"


NLI = [
    ("gpt4o", lambda e, g: json.dumps({"answer": g.name}), GOLD),
    ("fenced", lambda e, g: "```json\n" + json.dumps({"answer": g.name}) + "\n```", GOLD),
    ("bold", lambda e, g: f"**{g.name.capitalize()}**", GOLD),
    ("sentence", lambda e, g: f"The triplet is {g.name} by the dialogue.", GOLD),
    (
        "answer-colon",
        lambda e, g: f"Let's think step by step. The dialogue mentions both.\n\nAnswer: {g.name}",
        GOLD,
    ),
    (
        "does-not-entail",
        lambda e, g: f"The dialogue {'does not entail' if neg(g) else 'entails'} the triplet.",
        GOLD,
    ),
    (
        "doesnt-entail",
        lambda e, g: f"The dialogue {chr(100) + 'oesn’t entail' if neg(g) else 'does entail'} this triplet.",
        GOLD,
    ),
    ("isnt-entailed", lambda e, g: "No, it isn't entailed." if neg(g) else "Yes, it is entailed.", GOLD),
    ("yes-no", lambda e, g: "No" if neg(g) else "Yes", GOLD),
    (
        "yes-comma",
        lambda e, g: "No, the dialogue does not support this." if neg(g) else "Yes, the dialogue supports this.",
        GOLD,
    ),
    ("think-flip", lambda e, g: f"<think>It may be {fl(g)}. Hmm, actually.</think>\n{g.name}", GOLD),
    ("closing-think", lambda e, g: f'It may be {fl(g)}.\n</think>\n\n{{"answer": "{g.name}"}}', GOLD),
    ("underscore", lambda e, g: json.dumps({"answer": g.name.replace(" ", "_")}), GOLD),
    ("boolean", lambda e, g: json.dumps({"entailed": not neg(g)}), GOLD),
    ("either", lambda e, g: "It is either entailed or not entailed.", UNREAD),
    ("template", lambda e, g: 'Answer with {"answer": "entailed"} or {"answer": "not entailed"}', UNREAD),
    ("unsure", lambda e, g: "I am not sure whether it is entailed.", UNREAD),
    (
        "cannot-be-said",
        lambda e, g: "It cannot be said that the triplet is entailed.",
        lambda v, g: v is None or v.name == "not entailed",
    ),
    (
        "not-clearly",
        lambda e, g: "The triplet is not clearly entailed.",
        lambda v, g: v is None or v.name == "not entailed",
    ),
    ("neither", lambda e, g: "neutral", lambda v, g: v is None or v.name == "not entailed"),
    ("t5", lambda e, g: g.name.replace(" ", "-"), GOLD),
    ("boxed", lambda e, g: f"Therefore, the answer is $\\boxed{{\\text{{{g.name}}}}}$.", GOLD),
    (
        "final-changed",
        lambda e, g: (
            f"Initially it seems {fl(g)}. But the dialogue says otherwise. So the final answer is: {g.name}."
        ),
        GOLD,
    ),
    ("non-entailment", lambda e, g: "Non-entailment" if neg(g) else "Entailment", GOLD),
]
for name, f, exp in NLI:
    for k in (0, 1):
        add(T, f"{name}-{k}", k, exp)(f)

T = "contrast"


def other_verdict(g):
    return {"follows": "contradicts", "contradicts": "unknown", "unknown": "follows"}[g.name]


def said(g, follows, contradicts, unknown):
    return {"follows": follows, "contradicts": contradicts, "unknown": unknown}[g.name]


CONTRASTS = [
    ("json", lambda e, g: json.dumps({"answer": g.name}), GOLD),
    ("fenced", lambda e, g: "```json\n" + json.dumps({"verdict": g.name}) + "\n```", GOLD),
    ("bold", lambda e, g: f"**{g.name.capitalize()}**", GOLD),
    ("reasoned", lambda e, g: f"The first fact matters most.\n\nAnswer: {g.name}", GOLD),
    ("nli", lambda e, g: said(g, "entailment", "contradiction", "neutral"), GOLD),
    ("nli-json", lambda e, g: json.dumps({"label": said(g, "Entailment", "Contradiction", "Neutral")}), GOLD),
    ("true-false", lambda e, g: said(g, "True", "False", "Unknown"), GOLD),
    ("thought", lambda e, g: f"<think>It may be {other_verdict(g)}. Hmm.</think>\n{g.name}", GOLD),
    ("boxed", lambda e, g: f"Therefore, the answer is $\\boxed{{\\text{{{g.name}}}}}$.", GOLD),
    (
        "sentence",
        lambda e, g: said(
            g,
            "The claim follows from the facts.",
            "The claim contradicts the facts.",
            "It cannot be determined from the facts.",
        ),
        GOLD,
    ),
    ("either", lambda e, g: "It either follows or contradicts the facts.", UNREAD),
    ("template", lambda e, g: 'Answer with {"answer": "follows"} or {"answer": "unknown"}', UNREAD),
    ("unsure", lambda e, g: "I am not sure whether it follows.", UNREAD),
    ("does-not-follow", lambda e, g: "The claim does not follow.", lambda v, g: v is None or v.name != "follows"),
    (
        "does-not-contradict",
        lambda e, g: "The claim does not contradict the facts.",
        lambda v, g: v is None or v.name != "contradicts",
    ),
]
for name, f, exp in CONTRASTS:
    for k in (0, 1, 2):
        add(T, f"{name}-{k}", k, exp)(f)

T = "cider-span"
SPAN = [
    ("json", lambda e, g: json.dumps({"answer": g.text}), GOLD),
    ("bare", lambda e, g: g.text, GOLD),
    ("quoted", lambda e, g: f'"{g.text}"', GOLD),
    ("bold", lambda e, g: f"**Answer:** {g.text}", GOLD),
    ("bold2", lambda e, g: f"The answer is **{g.text}**.", GOLD),
    ("capital-dot", lambda e, g: g.text[0].upper() + g.text[1:] + ".", GOLD),
    (
        "sentence-quote",
        lambda e, g: f'Based on the dialogue, the span that answers the question is "{g.text}".',
        GOLD,
    ),
    (
        "fenced",
        lambda e, g: (
            "```json\n"
            + json.dumps({"answer": g.text}, indent=4)
            + "\n```\nThis span is taken directly from the dialogue."
        ),
        GOLD,
    ),
    (
        "think",
        lambda e, g: f'<think>\nThe answer could be "{e.inputs.context.split()[1]}".\n</think>\n\n{g.text}',
        GOLD,
    ),
    ("echo-question", lambda e, g: f"Question: {e.inputs.question}\nAnswer: {g.text}", GOLD),
    ("smart", lambda e, g: f"“{g.text}”", GOLD),
    ("boxed", lambda e, g: f"\\boxed{{{g.text}}}", GOLD),
    ("span-key", lambda e, g: json.dumps({"span": g.text, "explanation": "it says so"}), GOLD),
    ("not-in-dialogue", lambda e, g: "submarine opera for purple zebras", lambda v, g: v is not None),
    ("refusal", lambda e, g: "The dialogue does not say.", UNREAD),
    ("two", lambda e, g: f'It could be "{g.text}" or "{e.inputs.context.split(".")[0].split()[0]}".', SAFE),
    ("python", lambda e, g: "{'answer': '" + g.text.replace("'", "\\'") + "'}", GOLD),
    ("final", lambda e, g: f'Let me think.\n\nFinal answer: "{g.text}"', GOLD),
    ("tag", lambda e, g: f"<answer>{g.text}</answer>", GOLD),
]
for n, (name, f, exp) in enumerate(SPAN):
    for k in (n, n + 7):
        add(T, f"{name}-{k}", k, exp)(f)

T = "cider-choice"


def opt(e, g):
    return e.inputs.options[int(g.name)]


def wrong(e, g):
    return next(o for i, o in enumerate(e.inputs.options) if str(i) != g.name)


def wrongn(g):
    return (int(g.name) + 1) % 4


CH = [
    ("json-number", lambda e, g: json.dumps({"answer": int(g.name)}), GOLD),
    ("json-string", lambda e, g: json.dumps({"answer": g.name}), GOLD),
    ("json-text", lambda e, g: json.dumps({"answer": opt(e, g)}), GOLD),
    ("bare", lambda e, g: g.name, GOLD),
    ("number-text", lambda e, g: f"{g.name}. {opt(e, g)}", GOLD),
    ("sentence", lambda e, g: f"The correct answer is {g.name}. {opt(e, g)}.", GOLD),
    (
        "option",
        lambda e, g: f"**Option {g.name}: {opt(e, g)}** is the right answer because the dialogue says so.",
        GOLD,
    ),
    ("text-only", lambda e, g: opt(e, g), GOLD),
    ("boxed", lambda e, g: f"The answer is \\boxed{{{g.name}}}.", GOLD),
    ("think", lambda e, g: f"<think>Maybe {wrongn(g)}. No.</think>\n\nThe answer is {g.name}.", GOLD),
    (
        "not-this",
        lambda e, g: (
            f"It is not {wrongn(g)} ({e.inputs.options[wrongn(g)]}). The answer is {g.name} ({opt(e, g)})."
        ),
        GOLD,
    ),
    (
        "list-options-then",
        lambda e, g: (
            "The options are:\n"
            + "\n".join(f"{i}. {o}" for i, o in enumerate(e.inputs.options))
            + f"\n\nAnswer: {g.name}"
        ),
        GOLD,
    ),
    ("options-only", lambda e, g: "\n".join(f"{i}. {o}" for i, o in enumerate(e.inputs.options)), UNREAD),
    ("out-of-range", lambda e, g: '{"answer": 7}', UNREAD),
    ("two", lambda e, g: f"Both {g.name} and {wrongn(g)} are right.", UNREAD),
    ("contradiction", lambda e, g: f"{g.name}. {wrong(e, g)}", UNREAD),
    ("none", lambda e, g: "None of the options is right.", UNREAD),
    (
        "eliminate",
        lambda e, g: (
            "".join(
                f"Option {i} ({o}) {'is plausible' if str(i) == g.name else 'is wrong'}. "
                for i, o in enumerate(e.inputs.options)
            )
            + f"\nTherefore, the answer is option {g.name}."
        ),
        GOLD,
    ),
    ("letter", lambda e, g: f"The answer is ({'ABCD'[int(g.name)]}).", SAFE),
    ("r1", lambda e, g: f"hmm {wrongn(g)}?\n</think>\n**{g.name}**", GOLD),
    ("parenthesis", lambda e, g: f"({g.name})", GOLD),
    ("paren-after", lambda e, g: f"{g.name}) {opt(e, g)}", GOLD),
]
for n, (name, f, exp) in enumerate(CH):
    for k in (n, n + 5):
        add(T, f"{name}-{k}", k, exp)(f)

T = "cider-relation"
REL = [
    ("json", lambda e, g: json.dumps({"answer": g.name}), GOLD),
    ("bare", lambda e, g: g.name, GOLD),
    ("lower", lambda e, g: g.name.lower(), GOLD),
    ("camel", lambda e, g: g.name.replace(" ", ""), GOLD),
    ("snake", lambda e, g: g.name.lower().replace(" ", "_"), GOLD),
    ("bold", lambda e, g: f"**Relation:** {g.name}", GOLD),
    ("sentence", lambda e, g: f'The relation from "{e.inputs.head}" to "{e.inputs.tail}" is **{g.name}**.', GOLD),
    ("triple", lambda e, g: f"({e.inputs.head}; {g.name}; {e.inputs.tail})", GOLD),
    ("arrow", lambda e, g: f"{e.inputs.head} -> {g.name} -> {e.inputs.tail}", GOLD),
    (
        "json-triple",
        lambda e, g: json.dumps({"head": e.inputs.head, "relation": g.name, "tail": e.inputs.tail}),
        GOLD,
    ),
    ("think", lambda e, g: f"<think>Perhaps Similar To? or Before?</think>{g.name}", GOLD),
    (
        "not-x",
        lambda e, g: f"It is not {'Synonym' if g.name != 'Synonym' else 'Antonym'}. The answer is {g.name}.",
        GOLD,
    ),
    ("two", lambda e, g: "Either Causes or Before.", UNREAD),
    ("unknown", lambda e, g: "Rhymes With", UNREAD),
    ("list-echo", lambda e, g: "Relations: Capable Of, Depends On, Has A, Has Property.", UNREAD),
    ("fenced", lambda e, g: "```\n" + g.name + "\n```", GOLD),
    ("final", lambda e, g: f"The dialogue shows how the two are linked.\n\nFinal Answer: `{g.name}`", GOLD),
    ("negated-bare", lambda e, g: "does not cause", lambda v, g: v is None or v.name == "Not Causes"),
    ("negated-camel", lambda e, g: "NotHasProperty", lambda v, g: v is not None and v.name == "Not Has Property"),
    (
        "causes-desire",
        lambda e, g: "The relation is Causes Desire.",
        lambda v, g: v is not None and v.name == "Causes Desire",
    ),
    ("is-a-verb", lambda e, g: "There is a relation but I do not know which.", UNREAD),
    ("boxed", lambda e, g: f"$\\boxed{{{g.name}}}$", GOLD),
]
for n, (name, f, exp) in enumerate(REL):
    for k in (n, n + 11):
        add(T, f"{name}-{k}", k, exp)(f)

T = "anli"


def h(e, n):
    return e.inputs.hyp1 if str(n) == "1" else e.inputs.hyp2


def o(g):
    return "2" if g.name == "1" else "1"


AN = [
    ("json", lambda e, g: json.dumps({"hypothesis": g.name}), GOLD),
    ("json-int", lambda e, g: json.dumps({"hypothesis": int(g.name)}), GOLD),
    ("bare", lambda e, g: g.name, GOLD),
    ("hyp", lambda e, g: f"Hypothesis {g.name}", GOLD),
    (
        "bold-why",
        lambda e, g: (
            f"**Hypothesis {g.name}** explains better how the first observation led to the second. Hypothesis {o(g)} does not account for the result."
        ),
        GOLD,
    ),
    ("h-text", lambda e, g: h(e, g.name), GOLD),
    ("h-num-text", lambda e, g: f"Hypothesis {g.name}: {h(e, g.name)}", GOLD),
    ("not-one", lambda e, g: f"Not hypothesis {o(g)}, but hypothesis {g.name}.", GOLD),
    ("only-not", lambda e, g: f"It is not hypothesis {o(g)}.", SAFE),
    ("isnt", lambda e, g: f"Hypothesis {o(g)} isn't plausible.", SAFE),
    (
        "compare",
        lambda e, g: (
            f"Hypothesis {o(g)} says that something else happened, which is unlikely. Hypothesis {g.name} fits both. The answer is {g.name}."
        ),
        GOLD,
    ),
    ("paren-letter", lambda e, g: f"The answer is ({'AB'[int(g.name) - 1]}).", GOLD),
    ("ordinal", lambda e, g: f"The {'first' if g.name == '1' else 'second'} hypothesis is more likely.", GOLD),
    ("h1", lambda e, g: f"H{g.name}", GOLD),
    ("boxed", lambda e, g: f"$$\\boxed{{{g.name}}}$$", GOLD),
    (
        "think",
        lambda e, g: f"<think>\nHypothesis {o(g)} looks good.\nHmm, no.\n</think>\n\nHypothesis {g.name}.",
        GOLD,
    ),
    ("both", lambda e, g: "Both hypotheses are equally plausible.", UNREAD),
    ("neither", lambda e, g: "Neither Hypothesis 1 nor Hypothesis 2 explains it.", UNREAD),
    (
        "echo",
        lambda e, g: (
            f"First: {e.inputs.obs1}\nLater: {e.inputs.obs2}\nHypothesis 1: {e.inputs.hyp1}\nHypothesis 2: {e.inputs.hyp2}\nAnswer: {g.name}"
        ),
        GOLD,
    ),
    (
        "echo-only",
        lambda e, g: (
            f"First: {e.inputs.obs1}\nLater: {e.inputs.obs2}\nHypothesis 1: {e.inputs.hyp1}\nHypothesis 2: {e.inputs.hyp2}"
        ),
        UNREAD,
    ),
    ("template", lambda e, g: '{"hypothesis": "1"} or {"hypothesis": "2"}', UNREAD),
    ("contradict", lambda e, g: f"Hypothesis {g.name}: {h(e, o(g))}", UNREAD),
    (
        "analysis",
        lambda e, g: (
            f"Let's analyze each hypothesis.\n\n**Hypothesis 1:** {e.inputs.hyp1}\nThis could be.\n\n**Hypothesis 2:** {e.inputs.hyp2}\nThis could be, too.\n\n**Conclusion:** Hypothesis {g.name} is the better explanation."
        ),
        GOLD,
    ),
    ("more-plausible-than", lambda e, g: f"Hypothesis {g.name} is more plausible than Hypothesis {o(g)}.", GOLD),
    ("less-plausible-than", lambda e, g: f"Hypothesis {o(g)} is less plausible than Hypothesis {g.name}.", SAFE),
    ("changed-mind", lambda e, g: f"The answer is {o(g)}. Wait, no. The answer is {g.name}.", SAFE),
    (
        "runs-on",
        lambda e, g: (
            f'{{"hypothesis": "{g.name}"}}\n\nFirst: Tom had a dog.\nLater: It ran away.\nHypothesis 1: a\nHypothesis 2: b\n{{"hypothesis": "{o(g)}"}}'
        ),
        SAFE,
    ),
    ("three", lambda e, g: "Hypothesis 3", UNREAD),
    (
        "probability",
        lambda e, g: json.dumps({"hypothesis": g.name, "confidence": 0.9, "reason": f"Hypothesis {o(g)} is odd"}),
        GOLD,
    ),
]
for n, (name, f, exp) in enumerate(AN):
    for k in (n, n + 1):
        add(T, f"{name}-{k}", k, exp)(f)

T = "anlg"
AG = [
    ("json", lambda e, g: json.dumps({"hypothesis": g.text}), GOLD),
    ("bare", lambda e, g: g.text, GOLD),
    ("quoted", lambda e, g: f'"{g.text}"', GOLD),
    ("fenced", lambda e, g: "```json\n" + json.dumps({"hypothesis": g.text}) + "\n```", GOLD),
    ("hyp-colon", lambda e, g: f"Hypothesis: {g.text}", GOLD),
    ("bold", lambda e, g: f"**Hypothesis:** {g.text}", GOLD),
    ("sure", lambda e, g: f"Sure! Here is a sentence that explains what happened:\n\n{g.text}", GOLD),
    (
        "sure-quoted",
        lambda e, g: (
            f'Here\'s a possible hypothesis:\n\n"{g.text}"\n\nThis explains why the second observation happened.'
        ),
        GOLD,
    ),
    ("think", lambda e, g: f"<think>\nMaybe a dragon came. Nah.\n</think>\n\n{g.text}", GOLD),
    ("closing-think", lambda e, g: f"maybe a dragon came\n</think>\n\n**{g.text}**", GOLD),
    ("echo", lambda e, g: f"First: {e.inputs.obs1}\nLater: {e.inputs.obs2}\nHypothesis: {g.text}", GOLD),
    ("boxed", lambda e, g: f"\\boxed{{\\text{{{g.text}}}}}", GOLD),
    ("list-of-three", lambda e, g: f"1. {g.text}\n2. A dragon came by.\n3. Nothing happened.", UNREAD),
    ("refusal", lambda e, g: "I'm sorry, I cannot help with that.", UNREAD),
    ("template", lambda e, g: '{"hypothesis": "..."}', UNREAD),
    ("empty", lambda e, g: "", UNREAD),
    ("key-explanation", lambda e, g: json.dumps({"explanation": g.text}), GOLD),
    ("python", lambda e, g: str({"hypothesis": g.text}), GOLD),
    ("answer", lambda e, g: f"Answer: {g.text}\n", GOLD),
    ("between", lambda e, g: f"What happened in between: {g.text}", GOLD),
    ("bullet", lambda e, g: f"- {g.text}", GOLD),
    ("truncated", lambda e, g: '{"hypothesis": "' + g.text[:12], UNREAD),
]
for n, (name, f, exp) in enumerate(AG):
    for k in (n, n + 4):
        add(T, f"{name}-{k}", k, exp)(f)


# trees
def eb(task, base):
    def texts(e, g):
        return {x.id: x.text for x in (g.sentences or e.inputs.context)}

    def steps(e, g):
        """(premise ids in the context shown, id of conclusion, text)."""
        s = texts(e, g)
        rev = {}
        for x in e.inputs.context:
            rev.setdefault(x.text, x.id)
        out = []
        for st in g.steps:
            out.append(
                (
                    [rev.get(s[p], p) if p in s else p for p in st.premises],
                    st.conclusion,
                    st.text or (e.inputs.hypothesis if st.conclusion == "hypothesis" else ""),
                )
            )
        return out

    def name_text(e, g, p):
        t = {x.id: x.text for x in e.inputs.context}
        t.update({c: x for _, c, x in steps(e, g)})
        return t[p]

    def shown(f):
        def wrap(e, g):
            try:
                return f(e, g, steps(e, g))
            except KeyError:
                return None

        return wrap

    def big(need=2):
        return [
            k
            for k, e in enumerate(data(task).examples)
            if len(e.golds[0].steps) >= need
            and all(
                p in {x.id for x in e.inputs.context} or p.startswith("int")
                for ps, _, _ in steps(e, e.golds[0])
                for p in ps
            )
            and (
                not e.golds[0].sentences
                or all(
                    x.text in {y.text for y in e.inputs.context}
                    for x in e.golds[0].sentences
                    if any(x.id in s.premises for s in e.golds[0].steps)
                )
            )
        ]

    ks = big()
    rows = [
        (
            "json-prompt",
            lambda e, g, s: json.dumps({"steps": [{"premises": p, "conclusion": x} for p, c, x in s]}),
            GOLD,
        ),
        (
            "json-fenced-ids",
            lambda e, g, s: (
                "```json\n"
                + json.dumps({"steps": [{"premises": p, "conclusion": c, "text": x} for p, c, x in s]}, indent=2)
                + "\n```"
            ),
            GOLD,
        ),
        (
            "proof-published",
            lambda e, g, s: (
                "; ".join(
                    f"{' & '.join(p)} -> {c}: {x}" if c != "hypothesis" else f"{' & '.join(p)} -> hypothesis"
                    for p, c, x in s
                )
                + ";"
            ),
            GOLD,
        ),
        (
            "t5-proof",
            lambda e, g, s: (
                "$proof$ = "
                + "; ".join(
                    f"{' & '.join(p)} -> {c}: {x}" if c != "hypothesis" else f"{' & '.join(p)} -> hypothesis"
                    for p, c, x in s
                )
                + ";"
            ),
            GOLD,
        ),
        (
            "proof-block-plus",
            lambda e, g, s: (
                "Proof:\n"
                + "\n".join(
                    f"{n}. {' + '.join(p)} => {c}: {x}"
                    if c != "hypothesis"
                    else f"{n}. {' + '.join(p)} => hypothesis"
                    for n, (p, c, x) in enumerate(s, 1)
                )
            ),
            GOLD,
        ),
        (
            "step-headings",
            lambda e, g, s: "\n\n".join(
                f"**Step {n}:**\n- Premises: {', '.join(p)}\n- Conclusion ({c}): {x}"
                for n, (p, c, x) in enumerate(s, 1)
            ),
            GOLD,
        ),
        (
            "from-and-we",
            lambda e, g, s: "\n".join(
                f"Step {n}: From {' and '.join(p)}, we conclude {'the hypothesis' if c == 'hypothesis' else c + ': ' + x}."
                if c == "hypothesis"
                else f"Step {n}: From {' and '.join(p)}, we conclude {c}: {x}"
                for n, (p, c, x) in enumerate(s, 1)
            ),
            GOLD,
        ),
        (
            "no-int-names",
            lambda e, g, s: "\n".join(f"{n}. {' & '.join(p)} -> {x}" for n, (p, c, x) in enumerate(s, 1)),
            GOLD,
        ),
        (
            "bold-arrow",
            lambda e, g, s: (
                "Here is the proof:\n\n"
                + "\n".join(f"{n}. **{'** + **'.join(p)}** → **{c}**: *{x}*" for n, (p, c, x) in enumerate(s, 1))
                + "\n\nThus the hypothesis is proven. ∎"
            ),
            GOLD,
        ),
        ("therefore", lambda e, g, s: "\n".join(f"{', '.join(p)} therefore {c}: {x}" for p, c, x in s), GOLD),
        (
            "think-first",
            lambda e, g, s: (
                "<think>\nsent1 & sent2 -> int1: nonsense; int1 & sent1 -> hypothesis;\nNo.\n</think>\n\n"
                + "; ".join(f"{' & '.join(p)} -> {c}: {x}" for p, c, x in s)
            ),
            GOLD,
        ),
        (
            "explain-wrapped",
            lambda e, g, s: json.dumps(
                {"explanation": {"steps": [{"premises": p, "conclusion": c, "text": x} for p, c, x in s]}}
            ),
            GOLD,
        ),
        (
            "spaced-names",
            lambda e, g, s: "\n".join(
                f"Sentence {' and Sentence '.join(q[4:] if q.startswith('sent') else '@' + q for q in p)} imply {c}: {x}".replace(
                    "Sentence @int", "Intermediate "
                ).replace("@int", "int")
                for p, c, x in s
            ),
            SAFE,
        ),
        (
            "template",
            lambda e, g, s: (
                '{"steps": [{"premises": ["sent1", "sent2"], "conclusion": "..."}, {"premises": ["int1", "sent3"], "conclusion": "the hypothesis"}]}'
            ),
            UNREAD,
        ),
        ("refusal", lambda e, g, s: "The hypothesis cannot be proven from the given sentences.", UNREAD),
        ("prose", lambda e, g, s: "The hypothesis is true because of science.", UNREAD),
        ("unknown-sentence", lambda e, g, s: "sent98 & sent99 -> hypothesis;", UNREAD),
        (
            "truncated",
            lambda e, g, s: json.dumps({"steps": [{"premises": p, "conclusion": x} for p, c, x in s]})[:-25],
            UNREAD,
        ),
        (
            "no-hypothesis",
            lambda e, g, s: "; ".join(f"{' & '.join(p)} -> {c}: {x}" for p, c, x in s[:-1]),
            lambda v, g: v is None or all(st.conclusion != "hypothesis" for st in v.steps),
        ),
        (
            "premise-texts",
            lambda e, g, s: json.dumps(
                {"steps": [{"premises": [name_text(e, g, q) for q in p], "conclusion": x} for p, c, x in s]}
            ),
            GOLD,
        ),
        (
            "premise-id-and-text",
            lambda e, g, s: "\n\n".join(
                f"Step {n}:\n" + "\n".join(f"  - {q}: {name_text(e, g, q)}" for q in p) + f"\n  => {c}: {x}"
                for n, (p, c, x) in enumerate(s, 1)
            ),
            GOLD,
        ),
        (
            "int-arrows-latex",
            lambda e, g, s: "\n".join(
                "$" + " \\land ".join(p) + " \\rightarrow " + c + "$: " + x for p, c, x in s
            ),
            GOLD,
        ),
        (
            "two-proofs",
            lambda e, g, s: (
                "Proof 1: "
                + "; ".join(f"{' & '.join(p)} -> {c}: {x}" for p, c, x in s)
                + "\n\nProof 2: sent1 & sent2 -> hypothesis"
            ),
            UNREAD,
        ),
        ("because", lambda e, g, s: "\n".join(f"{c} ({x}) because {' and '.join(p)}" for p, c, x in s), SAFE),
        ("brackets-hyp", lambda e, g, s: "\n".join(f"[{', '.join(p)}] -> [{c}] {x}" for p, c, x in s), GOLD),
        (
            "combined-words",
            lambda e, g, s: "\n".join(
                f"Step {n}: Combine {' with '.join(p)} to get {c}: {x}" for n, (p, c, x) in enumerate(s, 1)
            ),
            GOLD,
        ),
    ]
    for n, (name, f, exp) in enumerate(rows):
        k = ks[(n + base) % len(ks)]
        add(task, name, k, exp)(shown(f))


eb("entailmentbank-1", 0)
eb("entailmentbank-2", 1)
eb("entailmentbank-3", 2)
