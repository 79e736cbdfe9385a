"""Traps: answers that deny, hedge, correct, compare, repeat an example or stop, and what may be read in them."""

from __future__ import annotations

import json

from tests.formats.llm_text.answers_blind import (
    GOLD,
    ROWS,
    SAFE,
    UNREAD,
    add,
    h,
    ids,
    o,
    obj,
    opt,
    other,
    tri,
    ttri,
    tx,
    wrongn,
)

START = len(ROWS)


def t(task, k, make, expected):
    add(task, f"trap {len(ROWS) - START + 1}", k, expected)(make)


X = "explagraphs"


def is_counter_or_none(v, g):
    return v is None or v.stance == "counter"


t(X, 0, lambda e, g: "Stance: not support\n" + "\n".join(tri(g, "({h}; {r}; {t})")), is_counter_or_none)
t(X, 1, lambda e, g: f"Stance: {g.stance}, not {other(g.stance)}\n" + "\n".join(tri(g, "({h}; {r}; {t})")), SAFE)
t(X, 2, lambda e, g: json.dumps({"stance": "neutral", "graph": obj(g)["graph"]}), UNREAD)
t(X, 3, lambda e, g: json.dumps({"stance": "support/counter", "graph": obj(g)["graph"]}), UNREAD)
t(
    X,
    4,
    lambda e, g: f"{g.stance}\n" + "\n".join(tri(g, "- {h} does not {r} {t}")),
    lambda v, g: (
        v is None
        or all(
            x.relation not in {y.relation for y in g.graph.edges}
            or x.relation.startswith("not")
            or x.relation == "is not a"
            for x in v.graph.edges
        )
    ),
)
t(
    X,
    0,
    lambda e, g: (
        f"{g.stance}\nmoths can't desire exhaustion\nmoths -> is not desired by -> exhaustion\nmoths -> part of -> nature"
    ),
    lambda v, g: v is None,
)
t(
    X,
    0,
    lambda e, g: f"{g.stance}\n- moths → never causes → light\n- moths → part of → nature\n- light → is a → thing",
    UNREAD,
)
t(
    X,
    0,
    lambda e, g: (
        f"{g.stance}\n- moths → hardly causes → light\n- moths → part of → nature\n- light → is a → thing"
    ),
    UNREAD,
)
t(
    X,
    0,
    lambda e, g: f"{g.stance}\n- moths no longer cause light\n- moths are part of nature\n- light is a thing",
    lambda v, g: v is None or not any(x.relation == "causes" for x in v.graph.edges),
)
t(
    X,
    0,
    lambda e, g: (
        f"Example: support (cats; is a; pets)(pets; causes; joy)(joy; part of; life)\n\nMy answer: {g.stance} "
        + "".join(tri(g, "({h}; {r}; {t})"))
    ),
    SAFE,
)
t(
    X,
    1,
    lambda e, g: (
        "Example:\n"
        + json.dumps({"stance": other(g.stance), "graph": [{"head": "cats", "relation": "is a", "tail": "pets"}]})
        + "\n\nNow your turn."
    ),
    UNREAD,
)
t(
    X,
    1,
    lambda e, g: (
        f"Let me think. Maybe {other(g.stance)}.\n\n**Draft:**\n(cats; is a; pets)\n\n**Final graph:**\nStance: {g.stance}\n"
        + "\n".join(tri(g, "({h}; {r}; {t})"))
    ),
    SAFE,
)
t(
    X,
    2,
    lambda e, g: (
        f"The argument {g.stance}s the belief.\n"
        + " -> ".join([g.graph.edges[0].head] + [x.tail for x in g.graph.edges])
    ),
    UNREAD,
)
t(X, 2, lambda e, g: "supports? counters? I am torn.\n" + "\n".join(tri(g, "({h}; {r}; {t})")), UNREAD)
t(X, 3, lambda e, g: f"{g.stance}\n" + "\n".join(tri(g, "({h}; {r})")), UNREAD)
t(X, 3, lambda e, g: f"{g.stance}\n" + "\n".join(tri(g, "{t} <- {r} <- {h}")), SAFE)
t(
    X,
    5,
    lambda e, g: (
        f"The argument is against the belief? No: it is {g.stance}.\n" + "\n".join(tri(g, "({h}; {r}; {t})"))
    ),
    SAFE,
)
t(X, 6, lambda e, g: f"stance={g.stance}; graph=" + "".join(tri(g, "({h}; {r}; {t})")), GOLD)
t(X, 7, lambda e, g: f"Label: {g.stance}\nExplanation: " + "".join(tri(g, "({h}; {r}; {t})")), GOLD)
t(X, 8, lambda e, g: f"{g.stance}\t" + "".join(tri(g, "({h}; {r}; {t})")), GOLD)
t(X, 9, lambda e, g: f"{g.stance.capitalize()}. " + " ".join(tri(g, "({h}; {r}; {t}).")), GOLD)
t(
    X,
    10,
    lambda e, g: (
        f"**Stance**: The argument **{g.stance}s** the belief.\n**Graph**:\n"
        + "\n".join(tri(g, "{n}. {h} — {r} — {t}"))
    ),
    GOLD,
)
t(
    X,
    11,
    lambda e, g: f"<stance>{g.stance}</stance>\n<graph>\n" + "\n".join(tri(g, "({h}; {r}; {t})")) + "\n</graph>",
    GOLD,
)
t(
    X,
    12,
    lambda e, g: (
        f"stance: {g.stance}\ngraph:\n" + "\n".join(tri(g, "  - head: {h}\n    relation: {r}\n    tail: {t}"))
    ),
    GOLD,
)
t(
    X,
    13,
    lambda e, g: (
        "Answer: "
        + g.stance
        + "\n\nReasoning: the argument could counter the belief if read otherwise, but it is plain.\n\n"
        + "\n".join(tri(g, "{n}) {h} --{r}--> {t}"))
    ),
    GOLD,
)
t(X, 14, lambda e, g: "1. Stance: " + g.stance + "\n2. Graph:\n" + "\n".join(tri(g, "   - ({h}, {r}, {t})")), GOLD)
t(
    X,
    15,
    lambda e, g: (
        f"Therefore the argument {g.stance}s the belief that it is so.\nEdges:\n"
        + "\n".join(tri(g, "{h} ({r}) {t}"))
    ),
    SAFE,
)
t(
    X,
    16,
    lambda e, g: json.dumps({"answer": {"stance": g.stance, "graph": {"edges": tri(g, "{h} -> {r} -> {t}")}}}),
    GOLD,
)
t(
    X,
    16,
    lambda e, g: json.dumps({"stance": {"label": g.stance, "confidence": 0.9}, "graph": obj(g)["graph"]}),
    SAFE,
)
W = "worldtree"
t(
    W,
    0,
    lambda e, g: "\n".join(f"- {i} (not relevant)" if n == 2 else f"- {i}" for n, i in enumerate(ids(g))),
    UNREAD,
)
t(W, 1, lambda e, g: "All facts except " + ids(g)[0], UNREAD)
t(W, 2, lambda e, g: "I would not use " + ", ".join(ids(g)), UNREAD)
t(W, 3, lambda e, g: "1, 2, 5", UNREAD)
t(W, 4, lambda e, g: json.dumps({"facts": [1, 2]}), UNREAD)
t(
    W,
    5,
    lambda e, g: "\n".join(
        f"{n}. {tx(i)} [{i}] - this links the question to the answer" for n, i in enumerate(ids(g), 1)
    ),
    GOLD,
)
t(W, 6, lambda e, g: "\n".join(f"**Fact {n}** ({i}): {tx(i)}" for n, i in enumerate(ids(g), 1)), GOLD)
t(W, 7, lambda e, g: "- " + tx(ids(g)[0]) + "\n- some fact that I made up myself", UNREAD)
t(W, 8, lambda e, g: "deadbeef\n0000-0000-0000-0000", UNREAD)
t(
    W,
    9,
    lambda e, g: (
        "The explanation uses the following facts: " + ", ".join(ids(g)[:-1]) + " and " + ids(g)[-1] + "."
    ),
    GOLD,
)
t(W, 10, lambda e, g: "\n".join(f"- {tx(i)} (because it defines the term)" for i in ids(g)), SAFE)
C = "cider"
t(
    C,
    0,
    lambda e, g: "\n".join(ttri(g, "({h}; does not {r}; {t})")),
    lambda v, g: v is None or all("not" in x.relation.lower() for x in v.triplets),
)
t(C, 1, lambda e, g: "\n".join(ttri(g, "{n}. Head: {h} | Relation: {r} | Tail: {t}")), GOLD)
t(C, 2, lambda e, g: "\n".join(ttri(g, "{h} | {r} | {t}")), GOLD)
t(C, 3, lambda e, g: "Triplets:\n" + "\n".join(ttri(g, "<{h}, {r}, {t}>")), GOLD)
t(C, 4, lambda e, g: "(soaked; Causes)", UNREAD)
t(C, 5, lambda e, g: "[]", UNREAD)
t(C, 0, lambda e, g: '{"triplets": []}', UNREAD)
t(C, 1, lambda e, g: "soaked relates to downpour", UNREAD)
L = "cider-nli"


def is_not_entailed_or_none(v, g):
    return v is None or v.name == "not entailed"


for s in [
    "I don't think it is entailed.",
    "The triplet isn't entailed.",
    "It is false that the triplet is entailed.",
    "No. The dialogue entails nothing of the kind.",
    "The dialogue fails to entail the triplet.",
    "Not entailed: the dialogue does not say that.",
    "The dialogue doesn't say so, so the triplet is not entailed.",
    "Hardly entailed.",
    "The triplet is never entailed here.",
    "Answer: not entailed (although one may think that it is entailed)",
    "not-entailed",
    "NOT ENTAILED",
    "**Not** entailed",
    "The claim that it is entailed is wrong.",
    "Entailed? No.",
    "not really entailed",
]:
    t(L, 0, lambda e, g, s=s: s, is_not_entailed_or_none)
for s in [
    "Not entailed: the dialogue does not say that.",
    "The dialogue doesn't say so, so the triplet is not entailed.",
    "NOT ENTAILED",
    "The triplet is *not* entailed by the dialogue.",
    "Not entailed.\n\nExplanation: nothing says that it rained.",
]:
    t(L, 1, lambda e, g, s=s: s, lambda v, g: v is not None and v.name == "not entailed")
for s in [
    "entailed / not entailed",
    "It depends.",
    "Entailed or not entailed?",
    "50/50",
    "maybe",
    "I would need more context.",
    "Entailed. Not entailed.",
    '{"answer": "entailed"}\n{"answer": "not entailed"}',
    "",
    "   ",
    "null",
    "{}",
    '{"answer": null}',
    '{"answer": ""}',
    "The answer could be entailed.",
]:
    t(L, 1, lambda e, g, s=s: s, UNREAD)
for s in [
    "Entailed. The dialogue makes this clear, it is not just implied.",
    "Yes, entailed.",
    "ENTAILED",
    "Answer: Entailed",
    "The answer is **entailed**, since the speaker does not deny it.",
]:
    t(L, 0, lambda e, g, s=s: s, lambda v, g: v is not None and v.name == "entailed")
K = "cider-choice"
for f, exp in [
    (lambda e, g: f"Options {g.name} and {wrongn(g)} both fit.", UNREAD),
    (lambda e, g: f"not {wrongn(g)}", UNREAD),
    (lambda e, g: f"Anything but option {wrongn(g)}.", SAFE),
    (lambda e, g: f"I'd rule out option {wrongn(g)}.", SAFE),
    (lambda e, g: f"Option {wrongn(g)} is incorrect.", SAFE),
    (lambda e, g: f"The answer is not {wrongn(g)}.", SAFE),
    (lambda e, g: f"The answer isn't {wrongn(g)} but {g.name}.", SAFE),
    (lambda e, g: f"The answer is {g.name}, not {wrongn(g)}.", GOLD),
    (lambda e, g: f"Answer: {g.name} (not {wrongn(g)})", GOLD),
    (lambda e, g: f"{g.name}\n\nExplanation: option {wrongn(g)} is wrong.", GOLD),
    (lambda e, g: f"'{opt(e, g)}' is the correct answer.", GOLD),
    (lambda e, g: f'The correct option is "{opt(e, g)}".', GOLD),
    (lambda e, g: json.dumps({"answer": int(g.name), "explanation": f"not {wrongn(g)}"}), GOLD),
    (lambda e, g: json.dumps({"answer": [int(g.name), wrongn(g)]}), UNREAD),
    (lambda e, g: "4", UNREAD),
    (lambda e, g: "E", UNREAD),
    (lambda e, g: "-1", UNREAD),
    (lambda e, g: "1.5", UNREAD),
    (lambda e, g: "There are 3 reasons for this.", UNREAD),
    (lambda e, g: "I have 2 ideas.", UNREAD),
    (lambda e, g: "0 of the options fit.", UNREAD),
    (lambda e, g: "In turn 2 B says that it rains.", UNREAD),
    (lambda e, g: f"Step 1: read. Step 2: think. The answer is {g.name}.", GOLD),
    (lambda e, g: f"Answer: option {g.name}\nConfidence: 3", GOLD),
]:
    for k in (1, 6):
        t(K, k, f, exp)
R = "cider-relation"
for s, exp in [
    ("not Causes", lambda v, g: v is None or v.name == "Not Causes"),
    ("Causes? No.", lambda v, g: v is None),
    ("The first causes the second.", lambda v, g: v is None or v.name == "Causes"),
    ("It is not a Causes relation.", lambda v, g: v is None or v.name != "Causes"),
    ("Causes, Causes Desire", UNREAD),
    ("Causes/Implies", UNREAD),
    ("cause", lambda v, g: v is None or v.name == "Causes"),
    ("none", UNREAD),
    ("No relation", UNREAD),
    ("Not Has Property", lambda v, g: v.name == "Not Has Property"),
    ("has_property", lambda v, g: v.name == "Has Property"),
    ("The relation is not Causes.", lambda v, g: v is None or v.name == "Not Causes"),
    ("The relation is Causes and not Implies.", lambda v, g: v is None or v.name == "Causes"),
    ("It isn't Synonym; it's Antonym.", lambda v, g: v is None or v.name == "Antonym"),
    ("doesn't imply", lambda v, g: v is None or v.name == "Not Implies"),
]:
    t(R, 0, lambda e, g, s=s: s, exp)
add(R, "leads from", 0)(
    lambda e, g: (
        f'The relation that leads from "{e.inputs.head}" to "{e.inputs.tail}" in this dialogue is "{g.name}". It is so.'
    )
)
A = "anli"
for f, exp in [
    (lambda e, g: f"Hypothesis {g.name}, not Hypothesis {o(g)}.", GOLD),
    (lambda e, g: f"Hypothesis {g.name} rather than Hypothesis {o(g)}.", SAFE),
    (lambda e, g: f"I prefer hypothesis {g.name} over hypothesis {o(g)}.", SAFE),
    (lambda e, g: f"Hypothesis {o(g)} is plausible, but Hypothesis {g.name} is better.", GOLD),
    (lambda e, g: f"While Hypothesis {o(g)} is the more obvious one, Hypothesis {g.name} explains both.", SAFE),
    (lambda e, g: f"Hypothesis {o(g)} would be the best explanation if it had rained.", SAFE),
    (lambda e, g: f"Hypothesis {o(g)} does not explain the second observation.", SAFE),
    (lambda e, g: f"It can't be {o(g)}.", SAFE),
    (lambda e, g: f"Hypothesis {o(g)} is wrong.", SAFE),
    (lambda e, g: f"One might say hypothesis {o(g)}, but I choose hypothesis {g.name}.", GOLD),
    (lambda e, g: f"The better hypothesis is {g.name}.", GOLD),
    (lambda e, g: f"The best answer would be hypothesis {g.name}", GOLD),
    (lambda e, g: f"The least likely hypothesis is {o(g)}.", SAFE),
    (lambda e, g: f"The wrong answer is {o(g)}.", SAFE),
    (lambda e, g: f"The answer that I would rule out is {o(g)}.", SAFE),
    (lambda e, g: f"Final answer: {g.name}", GOLD),
    (
        lambda e, g: f"Answer: Hypothesis {o(g)}\n\nActually, let me reconsider.\n\nAnswer: Hypothesis {g.name}",
        SAFE,
    ),
    (lambda e, g: f"<think>Hypothesis {o(g)}", UNREAD),
    (lambda e, g: f"<think>The answer is {o(g)}. No wait", UNREAD),
    (lambda e, g: "Hypothesis 1 and Hypothesis 2 together explain it.", UNREAD),
    (lambda e, g: "12", UNREAD),
    (lambda e, g: "1 or 2", UNREAD),
    (lambda e, g: "1/2", UNREAD),
    (lambda e, g: "1, 2", UNREAD),
    (lambda e, g: "0", UNREAD),
    (lambda e, g: "I think 2 people were there.", UNREAD),
    (lambda e, g: "One of them.", UNREAD),
    (lambda e, g: "A", lambda v, g: v is None or v.name == "1"),
    (lambda e, g: "A dog ate it.", UNREAD),
    (lambda e, g: f"{h(e, g.name).rstrip('.').lower()}", GOLD),
    (lambda e, g: f"Hypothesis {g.name} [{h(e, g.name)}]", GOLD),
    (lambda e, g: f"**Answer: {g.name}**\n\n**Why:** Hypothesis {o(g)} contradicts the later observation.", GOLD),
    (lambda e, g: f'hypothesis: "{g.name}"', GOLD),
    (lambda e, g: f"hyp{g.name}", GOLD),
    (lambda e, g: f"hypothesis_{g.name}", GOLD),
    (lambda e, g: json.dumps({"hypothesis": f"Hypothesis {g.name}"}), GOLD),
    (lambda e, g: json.dumps({"hypothesis": h(e, g.name)}), GOLD),
    (lambda e, g: json.dumps({"hypothesis_1": 0.8, "hypothesis_2": 0.2}), UNREAD),
    (lambda e, g: json.dumps({"better_hypothesis": g.name}), GOLD),
    (lambda e, g: json.dumps({"worse_hypothesis": o(g)}), SAFE),
    (lambda e, g: json.dumps({"rejected_hypothesis": o(g), "hypothesis": g.name}), SAFE),
]:
    for k in (0, 1):
        t(A, k, f, exp)
G = "anlg"
for s in [
    "I don't know.",
    "N/A",
    "...",
    "{}",
    "[]",
    "null",
    "Sure!",
    "Here is my answer:",
    "Hypothesis:",
    "1. A dog came.\n2. A cat came.",
    "Hypothesis A: A dog came.\nHypothesis B: A cat came.",
    "Either a dog came.\n\nOr a cat came.",
    '{"hypothesis": null}',
    '{"hypotheses": ["A dog came.", "A cat came."]}',
    "As an AI language model, I cannot know.",
    "<think>Perhaps a dog",
]:
    t(G, 0, lambda e, g, s=s: s, UNREAD)
for f in [lambda e, g: f"One possible explanation is that {g.text[0].lower()}{g.text[1:]}"]:
    t(G, 0, f, lambda v, g: v is not None)
for T, base in (("entailmentbank-1", 0), ("entailmentbank-2", 1)):
    for s in [
        "sent1",
        "sent1 & sent2",
        "sent1 -> ",
        "-> hypothesis",
        "hypothesis",
        "int1 -> hypothesis",
        "sent1 & int5 -> hypothesis",
        "sent1 does not imply hypothesis",
        "From sent1 and sent2 we cannot conclude the hypothesis.",
        "sent1 & sent2 -/-> hypothesis",
        "sent1 & sent2 -> int1: a; sent1 & sent3 -> int1: b; int1 & sent1 -> hypothesis",
        "The proof is left to the reader.",
        '{"steps": []}',
        '{"steps": null}',
        "[]",
        '{"steps": [{"premises": [], "conclusion": "x"}]}',
        '{"steps": [{"premises": [1, 2], "conclusion": "hypothesis"}]}',
        "A & B -> hypothesis",
        "sent1 -> sent2 -> hypothesis",
        "sentence one and sentence two give the hypothesis",
        "It is not true that sent1 and sent2 imply the hypothesis.",
        "If sent1 and sent2 were true then hypothesis",
    ]:
        t(T, base, lambda e, g, s=s: s, UNREAD)
