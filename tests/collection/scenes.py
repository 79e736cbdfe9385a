"""The five collections as simulated people do them: items to begin with, and what is answered to what is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.collection.crowd import all_parts, always, waiting, work_once

from whence.collection.collection import Collection, Shown
from whence.collection.configuration import Configuration
from whence.collection.configuration_files import parse_configuration, read_configuration
from whence.collection.importing import Item, add_items, read_items
from whence.tasks import task_named
from whence.tasks.loading import samples
from whence.tasks.sources import data_folder

Behave = Callable[[str, Shown], Mapping[str, Any]]


@dataclass(frozen=True)
class Scene:
    """One collection."""

    name: str
    items: Mapping[str, list[Item]]
    behave: Behave
    people: int
    """How many do it."""
    file: str
    """Of examples, in an export."""
    task: str
    """Which reads it."""
    opens: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    """Qualifications that some people get by hand."""
    machine: str = ""
    newcomers: int = 0
    """How many come once a machine has done its part."""
    consult: Any = field(default=always("support"))

    @property
    def text(self) -> str:
        return read_configuration(self.name)[1]

    @property
    def configuration(self) -> Configuration:
        return parse_configuration(self.text)


def smallest(scene: Scene) -> Scene:
    """The same with as few items of each source as can be, and one round of those that are opened by hand."""
    fewest = 2 if scene.machine else 1  # a machine learns from one and is tested by another
    items = {source: found[:fewest] for source, found in scene.items.items()}
    return replace(scene, items=items, opens=scene.opens[:1])


def begin(scene: Scene, collection: Collection, opened: Callable[[str], None] | None = None) -> None:
    """Adds the items and opens what is opened by hand: by whoever opens stages, else directly."""
    for source, items in scene.items.items():
        collection.write(lambda tx, s=source, i=items: add_items(tx, tx.configuration.source(s), i))
    for stage in scene.opens:
        opened(stage) if opened else collection.set_open(stage, True, "boss")


def desks(scene: Scene, collection: Collection) -> tuple[str, dict[str, str]]:
    """A worker who has begun something at every stage that comes up, and the slots; others do the rest."""
    begin(scene, collection)
    own, *others = (collection.join(f"w{number}") for number in range(scene.people + 2))
    for qualification in scene.configuration.qualifications:
        for worker in (own, *others):
            collection.qualify(worker, qualification.name, "boss")
    stages = [stage.name for stage in scene.configuration.stages if not stage.machine]
    slots: dict[str, str] = {}
    while True:
        for stage in stages:
            if stage not in slots and (slot := collection.next_slot(own, stage)):
                slots[stage] = slot
        if not work_once(collection, others, scene.behave):
            return own, slots
        for submission in waiting(collection)[1:]:  # one is left for administrators to see
            collection.accept(submission, "boss")


def known_answers(configuration: Configuration) -> dict[str, Any]:
    """The right answers of tests, by stage."""
    return {
        stage: item["gold"]
        for source in configuration.sources
        for item in source.items
        for stage in source.enters
        if "gold" in item
    }


def _edges(*triples: str) -> dict[str, Any]:
    parts = (triple.split(" | ") for triple in triples)
    return {"edges": [{"head": head, "relation": relation, "tail": tail} for head, relation, tail in parts]}


GOOD = _edges("trees | capable of | shade", "shade | causes | cool streets", "cool streets | part of | cities")
BETTER = _edges("trees | capable of | shade", "shade | causes | cool streets", "cool streets | desires | cities")
TESTED = _edges(
    "libraries | at location | towns",
    "libraries | used for | read",
    "sundays | used for | read",
    "working people | desires | read",
)


def _explagraphs() -> Scene:
    known = known_answers(read_configuration("explagraphs")[0])
    prompts: list[Item] = [
        {"id": f"p{n}", "prompt": "Trees cool a city.", "topic": "trees", "split": split}
        for n, split in enumerate(("train", "test"))
    ]
    targets: list[Item] = [{**prompt, "id": f"{prompt['id']}-t", "target": "support"} for prompt in prompts]

    def behave(worker: str, shown: Shown) -> Mapping[str, Any]:
        stage, item = shown.stage.name, shown.item
        if stage in known:
            return {"answers": known[stage]}
        if stage == "creation-test":
            return {"graph": TESTED}
        if stage == "pre-hamlet":
            return {
                "belief": "Cities need more trees.",
                "support": "Trees give shade and cool streets to cities.",
                "counter": "Trees of cities drop wet leaves on cool streets in the shade.",
            }
        if stage.startswith("hamlet"):
            return {"belief": "Cities need more trees.", "argument": "The shade of trees makes cool streets."}
        if stage == "stance-verification":
            return {"answers": {"": "counter" if "leaves" in item["argument"] else "support"}}
        if stage == "graph-creation":
            return {"graph": GOOD}
        if stage == "graph-verification":
            # A graph is always read as support: the ones about countering are refined twice, and given up.
            return {"answers": {"": "support"}}
        assert stage == "graph-refinement"
        return {"graph": BETTER}

    return Scene(
        "explagraphs",
        {"prompts": prompts, "prompts-with-targets": targets},
        behave,
        8,
        "explagraphs-train",
        "explagraphs",
        ("hamlet-1", "hamlet-2"),
        ("refines-graphs",),
    )


def _worldtree() -> Scene:
    configuration = read_configuration("worldtree")[0]
    known = known_answers(configuration)
    questions = read_items(configuration.source("questions"), "samples", data_folder)[:3]
    explanations: list[Item] = [
        {"id": f"e{n}", "question": "Why?", "answer": "Because.", "facts": [{"id": "a", "text": "a fact"}]}
        for n in range(3)
    ]
    order: dict[str, int] = {}

    def behave(worker: str, shown: Shown) -> Mapping[str, Any]:
        if shown.stage.name in known:
            return {"answers": known[shown.stage.name]}
        if shown.stage.name == "completeness":
            return {"answers": {"": "yes"}}
        shift = order.setdefault(worker, len(order)) % 2
        return all_parts(shown, lambda part, _: str((int(part.split("/")[-1]) + shift) % 4))

    return Scene(
        "worldtree", {"questions": questions, "explanations": explanations}, behave, 2, "worldtree", "worldtree"
    )


def _cider() -> Scene:
    configuration = read_configuration("cider")[0]
    dialogues = read_items(configuration.source("dialogues"), "samples", data_folder)[:2]
    golds = {
        example.inputs.utterances[0].text: example.golds[0] for example in samples(task_named("cider")).examples
    }
    trial = {"head": {"text": "freezer", "turn": 1, "start": 4}, "relation": "Causes"}
    order: dict[str, int] = {}

    def behave(worker: str, shown: Shown) -> Mapping[str, Any]:
        place = order.setdefault(worker, len(order))
        if shown.stage.name == "trial":
            return {"triplets": [{**trial, "tail": {"text": "wet", "turn": 0, "start": 25}}]}
        if shown.stage.name == "annotation":
            gold = golds[shown.item["utterances"][0]["text"]]
            return {"triplets": [_triplet(one) for one in gold.triplets[:3]]}
        if shown.stage.name == "validation":
            last = shown.item["triplet"]["head"]["text"]
            return {"answers": {"": "invalid" if place == 1 and len(last) % 2 else "valid"}}
        return {"answers": {"": "explicit" if place == 2 else "implicit"}}

    return Scene("cider", {"dialogues": dialogues}, behave, 4, "cider", "cider")


def _triplet(triplet: Any) -> dict[str, Any]:
    spans = {
        side: {"text": span.text, "turn": span.turn, "start": span.start}
        for side, span in (("head", triplet.head), ("tail", triplet.tail))
    }
    return {"head": spans["head"], "relation": triplet.relation, "tail": spans["tail"]}


DEEDS = ("waited", "slept", "worked", "left", "sang", "ran", "ate", "sat")


def _art() -> Scene:
    configuration = read_configuration("art")[0]
    stories = read_items(configuration.source("stories"), "samples", data_folder)[:4]
    generations: list[Item] = [
        {
            "id": f"g{n}",
            "obs1": "It rained.",
            "obs2": "The cellar was wet.",
            "hypothesis": "Rain came in.",
            "system": "x",
        }
        for n in range(2)
    ]
    order: dict[str, int] = {}

    def behave(worker: str, shown: Shown) -> Mapping[str, Any]:
        place, item = order.setdefault(worker, len(order)), shown.item
        if shown.stage.name == "plausible":
            name = item["obs1"].split()[0].strip(",")
            return {"text": f"{name} {DEEDS[place % len(DEEDS)]} there."}
        if shown.stage.name == "implausible":
            if "sang" in item["hypothesis"]:
                return {"answers": {"": "not plausible"}}
            return {"answers": {"": "plausible"}, "text": item["hypothesis"].replace("there", f"on moon{place}")}
        if shown.stage.name == "choice":
            return {"answers": {"": ("1", "2", "none of the above")[place % 3 if place > 4 else 0]}}
        return {"answers": {"": "yes"}}

    return Scene(
        "art",
        {"stories": stories, "generations": generations},
        behave,
        8,
        "anli",
        "anli",
        machine="hardening",
        newcomers=7,
    )


def _entailmentbank() -> Scene:
    configuration = read_configuration("entailmentbank")[0]
    examples = samples(task_named("entailmentbank-2")).examples[:2]
    items = read_items(configuration.source("examples"), "samples", data_folder)[:2]
    golds = {example.inputs.hypothesis: example for example in examples}
    revised: set[str] = set()

    def tree(hypothesis: str) -> dict[str, Any]:
        steps = [
            {"premises": list(step.premises), "conclusion": step.conclusion, "text": step.text}
            for step in golds[hypothesis].golds[0].steps
        ]
        first = steps[0]
        own = {"id": "sent90", "text": "what is said here is said of this world"}
        return {"steps": [{**first, "premises": [*first["premises"], "sent90"]}, *steps[1:]], "sentences": [own]}

    def behave(worker: str, shown: Shown) -> Mapping[str, Any]:
        stage, item = shown.stage.name, shown.item
        if stage == "trial":
            steps = [
                {"premises": ["sent1", "sent2"], "conclusion": "int1", "text": "foam slows the flow of heat"},
                {"premises": ["int1", "sent3", "sent5"], "conclusion": "hypothesis", "text": ""},
            ]
            return {"tree": {"steps": steps, "sentences": []}}
        if stage == "worksheet":
            return {
                "worksheet": {
                    "categories": {"sent1": "core"},
                    "facts": ["what is said here is said of this world"],
                }
            }
        if stage in ("tree", "revision"):
            if stage == "revision":
                revised.add(item["hypothesis"])
                assert item["review"][0]["remark"].startswith("say it shorter")
            return {"tree": tree(item["hypothesis"])}
        told = item["hypothesis"] not in revised
        found = all_parts(shown, lambda part, _: "needs an edit" if told and part.endswith("/0") else "follows")
        return {**found, "remarks": {"/tree/steps/0": "say it shorter"}} if told else found

    return Scene("entailmentbank", {"examples": items}, behave, 2, "entailmentbank", "entailmentbank-2")


SCENES: Mapping[str, Callable[[], Scene]] = {
    "explagraphs": _explagraphs,
    "worldtree": _worldtree,
    "cider": _cider,
    "art": _art,
    "entailmentbank": _entailmentbank,
}
