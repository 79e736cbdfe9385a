"""Digests of what a change of the code's layout must not change; two checkouts agree where their digests do.

    WHENCE_DATA=... python tools/digests.py -o digests.json [--texts FOLDER]
    WHENCE_DATA=... python tools/digests.py --compare digests.json [--texts FOLDER]

The checkout is the one that `import whence` finds. Everything goes through the command line, called in this
process; what cannot is in `INTERNALS`. Digests depend on the folders of data and golden files: compare like with
like. `--texts` keeps what was digested, so that `diff -r` of two folders shows what differs behind a digest.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter
from typing import Any
from unittest.mock import patch

# One thread, so that sums are made in one order; one width of terminal.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "COLUMNS": "100"}

INTERNALS: dict[str, tuple[str, ...]] = {
    "application": ("whence.commands.application:application",),
    "new_collection": ("whence.collection.collection:new_collection",),
    "run_machine": ("whence.collection.machines:run_machine",),
    "MachineSettings": ("whence.collection.machines:Settings",),
    "export": ("whence.collection.exporting:export",),
    "Wanted": ("whence.collection.exporting:Wanted",),
    "SCENES": ("tests.collection.scenes:SCENES",),
    "begin": ("tests.collection.scenes:begin",),
    "Clock": ("tests.collection.crowd:Clock",),
    "work": ("tests.collection.crowd:work",),
}
"""Names that no command reaches, and where each may be: the first place that has it is taken."""

PROTOCOLS = ("official", "paper", "whence")
REAL_SPLITS, REAL_EXAMPLES = ("dev", "fold1-test"), 4
"""Methods explain the samples and, of the first of these splits that a task has, so many examples."""

MODEL_OPTIONS = {
    "explagraphs": ("--similarity", "embedded", "--seca", "embedded", "--ea", "embedded"),
    "anlg": ("--similarity", "embedded"),
    **{f"entailmentbank-{n}": ("--similarity", "embedded", "--step", "embedded") for n in (1, 2, 3)},
}
"""How the samples of a task are scored where a metric needs a model."""

GOLDEN = (
    # task, predictions, gold (a file beside them, or a split), similarities
    ("anlg", "art/generations.jsonl", "art/generations.jsonl", ("tokf1",)),
    ("cider-span", "cider/span_fold1_predictions.json", "fold1-test", ("",)),
    ("worldtree", "tg2021/predict.txt", "tg2021/gold.json", ("",)),
    ("explagraphs", "explagraphs/*.preds.tsv", "dev", ("tokf1",)),
    ("entailmentbank-1", "entailmentbank/inputs/*_task1_dev.*", "dev", ("exact", "tokf1")),
    ("entailmentbank-2", "entailmentbank/inputs/*_task2_dev.*", "dev", ("exact", "tokf1")),
    ("entailmentbank-3", "entailmentbank/inputs/*_task3_dev.*", "dev", ("exact", "tokf1")),
    ("entailmentbank-3", "entailmentbank/inputs/*_task3_dev.*", "dev-slots", ("exact", "tokf1")),
)

Json = Any
Named = Iterator[tuple[str, Json]]
"""Names with what is digested: any JSON value."""


class MovedError(LookupError):
    """An internal name that is at none of its places."""


class FailedError(Exception):
    """A command that ended with an error."""


@dataclass(frozen=True)
class Setting:
    """What every section is given."""

    folder: Path
    """For files that are made on the way."""
    golden: Path
    data: bool
    """Whether there is published data."""


@cache
def tasks() -> dict[str, Json]:
    """Tasks with what `whence tasks` says of them."""
    return dict(json.loads(whence("tasks", "--json")))


@cache
def internal(name: str) -> Any:
    for place in INTERNALS[name]:
        module, _, attribute = place.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except (ImportError, AttributeError):
            continue
    raise MovedError(f"{name} is not at {' or '.join(INTERNALS[name])}: adjust INTERNALS")


def whence(*words: object) -> str:
    """What a command prints."""
    from whence.commands import main

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    code: object = 0
    with patch.object(sys, "argv", ["whence", *map(str, words)]), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as stopped:
            code = stopped.code
        except Exception as error:  # one that breaks must not hide the others
            raise FailedError(f"broke with {type(error).__name__}: {error}") from error
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.detach().getvalue().decode())
    if code:
        raise FailedError(texts[1].strip())
    return texts[0]


def rows(path: Path) -> list[dict[str, Json]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_rows(path: Path, values: Iterable[Json]) -> Path:
    path.write_text("".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values), encoding="utf-8")
    return path


def picked(value: Mapping[str, Json], *names: str) -> dict[str, Json]:
    return {name: value.get(name) for name in names}


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


# Sections: what is digested, by the first part of its name.


def explanations(setting: Setting) -> Named:
    """Every method on samples and on a few real examples; language models are replaced by an echo."""
    for task, about in tasks().items():
        for method, of in about["methods"].items():
            name, folder = f"{task}/{method}", setting.folder / "explained" / task / method
            try:
                if "endpoint" in of["settings"]:
                    yield from _asked(name, folder, task, method, "rounds" in of["settings"])
                    continue
                for where, file in _examples(setting, task, about["splits"]):
                    yield from _explained(f"{name}/{where}", folder / where, task, method, file)
            except FailedError as error:
                say(f"skipped explain/{name}: {error}")


def _examples(setting: Setting, task: str, splits: list[str]) -> Iterator[tuple[str, object]]:
    yield "samples", "samples"
    split = next((name for name in splits if name in REAL_SPLITS), None)
    if split and setting.data:
        path = setting.folder / f"{task}.{split}.jsonl"
        whence("data", "convert", task, split, "-o", path)
        yield split, write_rows(path, rows(path)[:REAL_EXAMPLES])


def _explained(name: str, folder: Path, task: str, method: str, file: object, *words: str) -> Named:
    whence("predict", task, method, file, "-o", folder, *words)
    answers = rows(folder / "predictions.jsonl")
    yield f"{name}/explanations", [picked(one, "id", "explanation") for one in answers]
    yield f"{name}/problems", [picked(one, "id", "problems") for one in answers]
    if (folder / "reasons.jsonl").is_file():
        yield (
            f"{name}/reasons",
            [picked(one, "id", "reasons", "refused") for one in rows(folder / "reasons.jsonl")],
        )
    if not words:
        yield f"{name}/model", json.loads((folder / "run.json").read_text())["model"]


def _asked(name: str, folder: Path, task: str, method: str, again: bool) -> Named:
    with echo() as (address, requests):
        settings = [f"endpoint={address}", "model=echo", "cache=false", "concurrency=1", *["rounds=2"] * again]
        words = [word for setting in settings for word in ("--set", setting)]
        yield from _explained(name, folder, task, method, "samples", *words)
    yield f"{name}/prompts", [request["messages"] for request in requests]
    yield f"{name}/schemas", [picked(request, "response_format", "grammar") for request in requests]


@contextmanager
def echo() -> Iterator[tuple[str, list[dict[str, Json]]]]:
    """A chat endpoint that answers with the first answer it is shown, else with the question; and its requests."""
    requests: list[dict[str, Json]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append(request)
            messages = request["messages"]
            shown = [one["content"] for one in messages if one["role"] == "assistant"]
            message = {"role": "assistant", "content": (shown or [messages[-1]["content"]])[0]}
            answer = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()


def scores(setting: Setting) -> Named:
    """Figures of golden files, of gold against itself, and of each sample answered with the gold of the next."""
    for task, about in tasks().items():
        yield from _sample_scores(setting, task, about["breakdowns"])
    for task, pattern, gold, similarities in GOLDEN:
        paths = sorted(setting.golden.glob(pattern))
        beside = setting.golden / gold
        if not paths or not (setting.data or beside.is_file()):
            say(f"skipped score/golden/{task}/{pattern}: {'no gold' if paths else 'no such file'}")
            continue
        for path in paths:
            for similarity in similarities:
                options = ("--similarity", similarity) if similarity else ()
                name = f"golden/{task}/{gold}/{path.name}/{similarity or 'plain'}"
                where = beside if beside.is_file() else gold
                yield from _scored(name, task, path, where, tasks()[task]["breakdowns"], options)
    yield from _edge_cases(setting)


def _sample_scores(setting: Setting, task: str, breakdowns: list[str]) -> Named:
    samples = setting.folder / f"{task}.samples.jsonl"
    whence("data", "convert", task, "samples", "-o", samples)
    examples = [one for one in rows(samples) if one["golds"]]
    golds = [one["golds"][0] for one in examples]
    given_answers = {"gold": golds, "next": [*golds[1:], golds[0]]}
    if all("facts" in gold for gold in golds):  # figures of rankings need rankings
        ids = [[use["id"] for use in gold["facts"]] for gold in golds]
        given_answers["ranking"] = [
            {"ids": list(dict.fromkeys([*b, *a]))} for a, b in zip(ids, [*ids[1:], ids[0]], strict=True)
        ]
    for kind, answers in given_answers.items():
        given = write_rows(
            setting.folder / f"{task}.{kind}.jsonl",
            (
                {**picked(one, "whence", "task", "id"), "explanation": answer}
                for one, answer in zip(examples, answers, strict=True)
            ),
        )
        options = MODEL_OPTIONS.get(task, ())
        yield from _scored(f"samples/{task}/{kind}", task, given, "samples", breakdowns, options)


def _edge_cases(setting: Setting) -> Named:
    """Malformed predictions of one tree, as a file of its own."""
    path = setting.golden / "entailmentbank/edge_cases.json"
    if not path.is_file():
        say(f"skipped score/golden/edge_cases: {path} is not here")
        return
    known = json.loads(path.read_text(encoding="utf-8"))
    cases, row = known["cases"], known["gold"]
    context = " ".join(f"{name}: {text}" for name, text in row["meta"]["triples"].items())
    examples = [{**row, "context": context, "id": f"X{number}"} for number in range(len(cases))]
    gold = write_rows(setting.folder / "edge_cases.jsonl", examples)
    given = setting.folder / "edge_cases.tsv"
    given.write_text("".join(f"{case['prediction']}\n" for case in cases), encoding="utf-8")
    for number in (1, 3):
        options = ("--similarity", "exact")
        yield from _scored(f"golden/edge_cases/{number}", f"entailmentbank-{number}", given, gold, [], options)


def _scored(
    name: str, task: str, given: Path, gold: object, breakdowns: list[str], options: tuple[str, ...]
) -> Named:
    by = [word for breakdown in breakdowns for word in ("--by", breakdown)]
    for protocol in PROTOCOLS:
        words = ("score", task, given, "--gold", gold, "--protocol", protocol, *options, *by, "--json")
        try:
            report = json.loads(whence(*words))
        except FailedError as error:
            say(f"skipped score/{name}/{protocol}: {error}")
            continue
        groups = {"": report["scores"]}
        for breakdown, parts in report.get("slices", {}).items():
            groups |= {f"{breakdown}: {group}": part["scores"] for group, part in parts.items()}
        for kind, keys in (("values", ("value", "n", "missing")), ("intervals", ("low", "high"))):
            yield (
                f"{name}/{protocol}/{kind}",
                {
                    group: {metric: picked(figure, *keys) for metric, figure in figures.items()}
                    for group, figures in groups.items()
                },
            )
        yield f"{name}/{protocol}/counts", picked(report, "n", "problems", "causes", "notes")
        yield (
            f"{name}/{protocol}/signature",
            [part for part in report["signature"].split("|") if not part.startswith(("whence:", "data:"))],
        )


def collections(setting: Setting) -> Named:
    """The exported files of every bundled collection, as the simulated people of its tests make it."""
    for name, scene in internal("SCENES").items():
        with _known_secrets():
            collection, folder = _played(scene(), setting.folder / "collections" / name)
            wanted = internal("Wanted")
            forms = {
                "own": wanted(salt=b"digests"),
                "published": wanted(published=True, platform_ids=True, timings=True, salt=b"digests"),
            }
            with collection.reading() as tx:
                for form, one in forms.items():
                    internal("export")(tx, folder / form, collection.version, collection.text, one)
        for path in sorted(path for form in forms for path in (folder / form).iterdir()):
            yield f"{name}/{path.parent.name}/{path.name}", path.read_text(encoding="utf-8").splitlines()


def _played(scene: Any, folder: Path) -> tuple[Any, Path]:
    folder.mkdir(parents=True)
    new, work = internal("new_collection"), internal("work")
    collection = new(str(folder / "store.db"), scene.text, clock=internal("Clock")(), consult=scene.consult)
    internal("begin")(scene, collection)
    people = [collection.join(f"w{number}", platform="p", platform_id=f"ID-{number}") for number in range(9)]
    for qualification in scene.given:
        for worker in people[:6]:
            collection.qualify(worker, qualification, "boss")
    work(collection, people, scene.behave)
    if scene.machine:
        internal("run_machine")(collection, scene.machine, internal("MachineSettings")(iterations=2))
        work(collection, [collection.join(f"new{n}") for n in range(scene.newcomers)], scene.behave)
    return collection, folder


@contextmanager
def _known_secrets() -> Iterator[None]:
    """The same tokens every time: pseudonyms are made of them."""
    numbers = count()

    def token(length: int | None = None) -> str:
        return hashlib.sha256(str(next(numbers)).encode()).hexdigest()[: 2 * (length or 32)]

    with (
        patch.object(secrets, "token_urlsafe", token),
        patch.object(secrets, "token_hex", token),
        patch.object(secrets, "token_bytes", lambda length=None: bytes.fromhex(token(length))),
    ):
        yield


def listings(setting: Setting) -> Named:
    """What `whence tasks` and `whence train` list, and the schemas of records."""
    yield "tasks", list(tasks())
    for task, about in tasks().items():
        methods, heads = about["methods"], about["heads"]
        yield f"{task}/methods", [[name, one["settings"]] for name, one in methods.items()]
        yield f"{task}/heads", list(heads)
        yield f"{task}/splits", about["splits"]
        yield f"{task}/breakdowns", about["breakdowns"]
        titles = {name: one["title"] for name, one in methods.items()}
        yield f"{task}/titles", [picked(about, "title", "paper", "data"), titles, heads]
        yield f"{task}/recipes", json.loads(whence("train", task, "--json"))
        for kind in ("example", "prediction"):
            yield (
                f"{task}/schema of {kind}",
                _undescribed(json.loads(whence("data", "schema", task, "--kind", kind))),
            )
        for form in ("whence", "published", "rows"):
            try:
                lines = whence("data", "convert", task, "samples", "--to", form, "-o", "-").splitlines()
            except FailedError as error:
                say(f"skipped list/{task}/samples as {form}: {error}")
                continue
            yield f"{task}/samples as {form}", lines


def _undescribed(schema: Json) -> Json:
    """A JSON schema without the prose of docstrings."""
    if isinstance(schema, dict):
        return {
            key: _undescribed(inner)
            for key, inner in schema.items()
            if not (key == "description" and isinstance(inner, str))
        }
    return [_undescribed(inner) for inner in schema] if isinstance(schema, list) else schema


def commands(_: Setting) -> Named:
    """Commands with the names of their arguments and options, defaults, and whether they must be given."""
    from typer.main import get_command

    yield from _commands(get_command(internal("application")), "whence")


def _commands(command: Any, name: str, parent: Any = None) -> Named:
    context = command.context_class(command, parent=parent, info_name=name)
    yield (
        name,
        sorted(
            [*sorted(one.opts + one.secondary_opts), one.required, one.multiple, str(one.default)]
            for one in command.get_params(context)
        ),
    )
    for word, inner in sorted(getattr(command, "commands", {}).items()):
        yield from _commands(inner, f"{name} {word}", context)


def drawings(setting: Setting) -> Named:
    """All samples as pictures, in the terminal, and in the forms of other tools."""
    picture = setting.folder / "drawing.svg"
    for task in tasks():
        examples = whence("data", "convert", task, "samples", "-o", "-").splitlines()
        show = [("show", task, "-n", number) for number in range(1, len(examples) + 1)]
        texts, pictures = [], []
        for words in show:
            texts.append(whence(*words, "--svg", picture).rpartition("\npicture: ")[0])
            pictures.append(picture.read_text(encoding="utf-8"))
        yield f"{task}/text", texts
        yield f"{task}/svg", pictures
        for form in ("mermaid", "graphml", "jsonld", "paper"):
            try:
                yield f"{task}/{form}", [whence(*words, "--as", form) for words in show]
            except FailedError as error:
                say(f"skipped draw/{task}/{form}: {error}")


def hardenings(setting: Setting) -> Named:
    """What the default adversary leaves of the bundled pools."""
    for task in ("anli", "cider-choice"):
        folder = setting.folder / "hardened" / task
        run = json.loads(whence("harden", task, "samples", "-o", folder, "--iterations", 6, "--json"))
        yield f"{task}/outcome", picked(run, "plan", "questions", "changed", "chance", "stopped", "origins")
        yield f"{task}/rounds", [{**one, "seconds": None} for one in run["rounds"]]
        for when in ("before", "after"):
            (path,) = folder.glob(f"{when}.*")
            yield f"{task}/{when}", path.read_text(encoding="utf-8").splitlines()


def splits(setting: Setting) -> Named:
    """Published splits that are here: how many examples, and all records in our own form."""
    if not setting.data:
        say("skipped split: WHENCE_DATA does not name the folder of published data")
        return
    from whence.api import load, save

    own = setting.folder / "split.jsonl"
    for task, about in tasks().items():
        for split in about["splits"]:
            dataset = load(task, split)
            save(task, dataset, own)
            yield f"{task}/{split}/examples", len(dataset.examples)
            yield f"{task}/{split}/records", hashlib.sha256(own.read_bytes()).hexdigest()


SECTIONS: dict[str, Callable[[Setting], Named]] = {
    "list": listings,
    "command": commands,
    "draw": drawings,
    "explain": explanations,
    "score": scores,
    "harden": hardenings,
    "collect": collections,
    "split": splits,
}


# Digests


def canonical(value: Json) -> Json:
    """The value with numbers of six digits, so that noise of arithmetic does not matter."""
    if isinstance(value, float):
        return round(value, 6) + 0.0  # no negative zero
    if isinstance(value, Mapping):
        return {key: canonical(inner) for key, inner in value.items()}
    return [canonical(inner) for inner in value] if isinstance(value, list | tuple) else value


def digest_all(setting: Setting, sections: list[str], texts: Path | None) -> tuple[dict[str, str], list[str]]:
    """Digests by name, and the sections that ended early."""
    digests: dict[str, str] = {}
    broken = []
    for section in sections:
        before, began = len(digests), perf_counter()
        try:
            for name, value in SECTIONS[section](setting):
                text = json.dumps(canonical(value), ensure_ascii=False, sort_keys=True, indent=1)
                whole = f"{section}/{name}"
                digests[whole] = hashlib.sha256(text.encode()).hexdigest()[:16]
                if texts is not None:
                    path = texts / f"{whole.replace(' ', '_')}.json"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(f"{text}\n", encoding="utf-8")
        except Exception as error:  # noqa: BLE001 - other sections go on, the exit code is 1
            broken.append(section)
            say(f"skipped the rest of {section}: {type(error).__name__}: {error}")
        say(f"{section}: {len(digests) - before} digests in {perf_counter() - began:.0f} s")
    return digests, broken


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in sorted({*before, *after}):
        if name not in after:
            yield f"vanished {name}"
        elif name not in before:
            yield f"appeared {name}"
        elif before[name] != after[name]:
            yield f"differs  {name}"


@contextmanager
def own_cache(folder: Path) -> Iterator[None]:
    """A new cache, so that nothing of another version answers; only weights are those that are here."""
    shared = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    known = Path(os.environ.get("WHENCE_CACHE") or Path(shared) / "whence").resolve()
    folder.mkdir()
    (folder / "models").symlink_to(known / "models")
    with patch.dict(os.environ, {"WHENCE_CACHE": str(folder)}):
        yield


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where the digests go")
    parser.add_argument(
        "--compare", type=Path, metavar="FILE", help="digests to compare with; exit 1 if any differs"
    )
    parser.add_argument("--golden", type=Path, metavar="FOLDER", help="golden files; else beside the data folder")
    parser.add_argument("--texts", type=Path, metavar="FOLDER", help="keep what was digested, one file a name")
    parser.add_argument("--only", action="append", choices=SECTIONS, help="a section; can be repeated")
    asked = parser.parse_args()
    if asked.output is None and asked.compare is None:
        parser.error("say what for: -o FILE or --compare FILE")
    before = json.loads(asked.compare.read_text()) if asked.compare else {}
    import whence as package

    sys.path.insert(0, str(Path(package.__file__).parents[2]))  # for the scenes of tests
    data = os.environ.get("WHENCE_DATA", "")
    sections = asked.only or list(SECTIONS)
    with TemporaryDirectory() as temporary, own_cache(Path(temporary) / "cache"):
        golden = asked.golden or Path(data or ".").resolve().parent / "golden"
        digests, broken = digest_all(Setting(Path(temporary), golden, bool(data)), sections, asked.texts)
    if asked.output is not None:
        asked.output.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    if broken:
        say(f"incomplete: {', '.join(broken)} ended early")
    if asked.compare is None:
        return 1 if broken else 0
    wanted = {name: digest for name, digest in before.items() if name.partition("/")[0] in sections}
    lines = list(differences(wanted, digests))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    say(f"{len(lines)} of {len(wanted)} digests changed" if lines else f"all {len(wanted)} digests are the same")
    return 1 if lines or broken else 0


if __name__ == "__main__":
    sys.exit(main())
