"""`whence collect`: collections of explanations made by people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from whence.commands.output import JsonOption, print_json, print_lines, print_table
from whence.errors import UsageError

if TYPE_CHECKING:
    from whence.collection.administration import PayLine, Progress
    from whence.collection.collection import Collection
    from whence.collection.configuration import Configuration, Source
    from whence.collection.importing import Item
    from whence.structures.results import Measurement

application = typer.Typer(
    help="People make, verify and rate explanations: stages, agreement, pay, export.", no_args_is_help=True
)

StoreArgument = Annotated[
    str, typer.Argument(metavar="STORE", help="A file such as mine.db, or the URL of a PostgreSQL database.")
]
ConfigArgument = Annotated[
    str,
    typer.Argument(
        metavar="CONFIG",
        help="A TOML file, or a bundled one: explagraphs, worldtree, cider, art, entailmentbank.",
    ),
]
ItemsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--items",
        metavar="SOURCE=FILE",
        help="A source of the configuration, and a JSONL file of items, a file of its task, 'samples' or a split.",
    ),
]
RankingOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--ranking",
        metavar="FILE",
        help="Lines of question and fact, the best first, for shortlists; else the embedded ranker makes them.",
    ),
]


def _opened(store: str) -> Collection:
    from whence.collection.collection import open_collection

    return open_collection(store)


@application.command("new")
def new(
    config: ConfigArgument, store: StoreArgument, items: ItemsOption = None, ranking: RankingOption = None
) -> None:
    """Begin a collection by a configuration, with items.

    Example: `whence collect new art mine.db --items stories=samples`
    """
    from whence.collection.collection import new_collection
    from whence.collection.configuration_files import read_configuration

    found, text = read_configuration(config)
    wanted = [_read(found, one, ranking) for one in items or ()]  # before a store is made
    collection = new_collection(store, text)
    print_lines([f"{found.name}, version {collection.version}: {len(found.stages)} stages in {store}"])
    for source, given in wanted:
        _add(collection, source, given)
    print_lines([f"Let people in with: whence collect serve {store}"])


@application.command("add")
def add(
    store: StoreArgument,
    items: Annotated[list[str], typer.Argument(metavar="SOURCE=FILE...", help="As --items of `collect new`.")],
    ranking: RankingOption = None,
) -> None:
    """Add items to a collection. Those that are there already are not added again.

    Example: `whence collect add mine.db generations=generated.jsonl`
    """
    collection = _opened(store)
    for one in items:
        _add(collection, *_read(collection.configuration, one, ranking))


def _read(configuration: Configuration, text: str, ranking: list[Path] | None) -> tuple[Source, list[Item]]:
    from whence.collection.importing import read_items
    from whence.tasks.sources import data_folder

    name, sign, file = text.partition("=")
    if not sign or not name or not file:
        raise UsageError(f"items are given as SOURCE=FILE, not '{text}'")
    source = configuration.source(name)
    return source, read_items(source, file, data_folder, ranking or ())


def _add(collection: Collection, source: Source, items: list[Item]) -> None:
    from whence.collection.importing import add_items

    added = collection.write(lambda tx: add_items(tx, source, items))
    known = f", {added.known:,} were there already" if added.known else ""
    print_lines([f"{added.new:,} items of {source.name} added{known}"])


@application.command("update")
def update(store: StoreArgument, config: ConfigArgument) -> None:
    """Go on by a changed configuration. Earlier versions are kept with what was made under them.

    Example: `whence collect update mine.db explagraphs-round-2.toml`
    """
    from whence.collection.collection import change_configuration
    from whence.collection.configuration_files import read_configuration

    _, text = read_configuration(config)
    print_lines([f"version {change_configuration(_opened(store), text)}"])


@application.command("serve")
def serve(
    store: StoreArgument,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where it listens; 0 is any free port.")] = 8643,
    host: Annotated[
        str, typer.Option(metavar="NAME", help="Who can reach it: this machine alone, unless another is named.")
    ] = "127.0.0.1",
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes; several need PostgreSQL.")] = 1,
) -> None:
    """Open the pages on which people work, and those of administrators, in a browser.

    While there is no administrator, it prints a link by which the first one comes in. People come in by links of
    their own: `whence collect invite`. Example: `whence collect serve mine.db`
    """
    import sys

    from whence.collection.access import has_administrator, invite
    from whence.web.collect.application import collection_app
    from whence.web.collect.processes import serve_in_processes
    from whence.web.security.guard import loopback_hosts
    from whence.web.serve import address_of, listen
    from whence.web.serve import serve as serve_until_stopped

    collection = _opened(store)
    if workers > 1 and not collection.store.is_postgresql:
        raise UsageError("several processes need PostgreSQL; a SQLite file is served by one")
    opened = listen(host, port)
    address = address_of(opened)
    lines = [f"{collection.configuration.title}: {address} (stop it with Ctrl-C)"]
    if not has_administrator(collection):
        secret = invite(collection, "administrator")
        lines.append(f"The first administrator comes in here: {address}collect/enter/{secret}")

    def begun() -> None:
        print_lines(lines)
        sys.stdout.flush()

    try:
        if workers > 1:
            begun()
            serve_in_processes(store, opened, workers, loopback_hosts(host))
        else:
            serve_until_stopped(collection_app(collection, loopback_hosts(host)), opened, begun)
    except KeyboardInterrupt:
        print_lines(["Stopped."])  # this is how it is stopped, not an interruption


@application.command("invite")
def invite(
    store: StoreArgument,
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=10_000, help="How many links.")] = 1,
    administrator: Annotated[bool, typer.Option("--administrator", help="For administrators.")] = False,
    address: Annotated[
        str, typer.Option(metavar="URL", help="Where the pages are, as people reach them.")
    ] = "http://localhost:8643",
) -> None:
    """Print links by which people come in, each of them one person, once.

    Example: `whence collect invite mine.db --count 20 --address https://study.example.org`
    """
    from whence.collection.access import invite as make

    collection = _opened(store)
    kind: Literal["worker", "administrator"] = "administrator" if administrator else "worker"
    base = address.rstrip("/")
    print_lines(f"{base}/collect/enter/{make(collection, kind)}" for _ in range(count))


@application.command("open")
def open_stage(
    store: StoreArgument,
    stage: Annotated[str, typer.Argument(metavar="STAGE", help="A stage that people do.")],
    close: Annotated[bool, typer.Option("--close", help="Let nobody begin there any more.")] = False,
) -> None:
    """Let people begin work at a stage, or not any more. What was begun can always be finished.

    Example: `whence collect open mine.db hamlet-2`
    """
    _opened(store).set_open(stage, not close, "command line")
    print_lines([f"{stage} is {'closed' if close else 'open'}"])


@application.command("status")
def status(store: StoreArgument, json: JsonOption = False) -> None:
    """Show how far every stage is.

    Example: `whence collect status mine.db`
    """
    from dataclasses import asdict

    from whence.collection.administration import progress

    collection = _opened(store)
    with collection.reading() as tx:
        found = progress(tx)
    if json:
        about = {"collection": collection.configuration.name, "configuration": collection.version}
        print_json({**about, "stages": [asdict(one) for one in found]})
        return
    print_lines(
        [f"{collection.configuration.title} ({collection.configuration.name}, version {collection.version})"]
    )
    columns = ("stage", "open", "jobs", "decided", "free", "held", "waiting", "done", "late", "outcomes")
    print_table(columns, map(_status_row, found))


def _status_row(one: Progress) -> list[str]:
    slots = [one.slots.get(state, 0) for state in ("open", "leased", "submitted", "accepted")]
    outcomes = ", ".join(f"{name} {count}" for name, count in sorted(one.outcomes.items()))
    numbers = map(str, (one.jobs, one.decided, *slots, one.late))
    return [one.stage, "yes" if one.opened else "no", *numbers, outcomes]


@application.command("agreement")
def agreement(store: StoreArgument, json: JsonOption = False) -> None:
    """Show how far people agree on each question, as of now.

    Example: `whence collect agreement mine.db`
    """
    from dataclasses import asdict

    from whence.collection import administration

    with _opened(store).reading() as tx:
        found = administration.agreement(tx)
    if json:
        print_json({question: [asdict(one) for one in of] for question, of in found.items()})
        return
    if not found:
        print_lines(["No two people have judged the same item yet."])
        return
    rows = [[question, *_figure(one)] for question, of in found.items() for one in of]
    print_table(("question", "coefficient", "value", "95% interval", "items"), rows)


def _figure(one: Measurement) -> list[str]:
    value = "?" if one.value is None else f"{one.value:.3f}"
    between = "" if one.low is None or one.high is None else f"{one.low:.3f} to {one.high:.3f}"
    return [one.name, value, between, str(one.n)]


@application.command("export")
def export(
    store: StoreArgument,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="A new folder.")],
    published: Annotated[
        bool, typer.Option("--published", help="Examples in the published form instead of our own JSONL.")
    ] = False,
    platform_ids: Annotated[
        bool, typer.Option("--platform-ids", help="With the platform's ids of workers.")
    ] = False,
    timings: Annotated[bool, typer.Option("--timings", help="With when, and how long it took.")] = False,
    json: JsonOption = False,
) -> None:
    """Write examples as the loaders read them, and all that people said, under pseudonyms.

    Example: `whence collect export mine.db -o collected`
    """
    from whence.collection import exporting

    collection = _opened(store)
    wanted = exporting.Wanted(published=published, platform_ids=platform_ids, timings=timings)
    with collection.reading() as tx:
        found = exporting.export(tx, output, collection.version, collection.text, wanted)
    if json:
        print_json({"folder": str(found.folder), "files": dict(found.files)})
        return
    print_lines(f"{count:>7,} {name}" for name, count in found.files.items())
    print_lines([f"written to {output}"])


@application.command("pay")
def pay(
    store: StoreArgument,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write every line of the ledger.")
    ] = None,
    mark_paid: Annotated[bool, typer.Option("--mark-paid", help="Mark all that is approved as paid.")] = False,
    json: JsonOption = False,
) -> None:
    """Report what is owed and what was paid, by worker and state.

    Example: `whence collect pay mine.db --csv ledger.csv`
    """
    from whence.collection import administration
    from whence.collection.ledger_file import ledger_csv
    from whence.files import write_lines

    collection = _opened(store)
    if mark_paid:
        amount = collection.pay_out("command line")
        typer.echo(f"{_money(amount, collection.configuration.currency)} marked as paid", err=json)
    with collection.reading() as tx:
        lines = administration.pay(tx)
    if csv is not None:
        write_lines(csv, ledger_csv(lines))
    totals = _totals(lines)
    if json:
        print_json({"currency": collection.configuration.currency, "workers": totals, "lines": len(lines)})
        return
    states = ("pending", "approved", "paid", "rejected")
    rows = [[worker, *(_money(of.get(state, 0), "") for state in states)] for worker, of in totals.items()]
    sums = [_money(sum(of.get(state, 0) for of in totals.values()), "") for state in states]
    print_table((f"worker ({collection.configuration.currency})", *states), [*rows, ["all", *sums]])


def _totals(lines: tuple[PayLine, ...]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in lines:
        of = found.setdefault(line.worker, {})
        of[line.state] = of.get(line.state, 0) + line.amount
    return found


def _money(minor: int, currency: str) -> str:
    return f"{minor / 100:,.2f} {currency}".strip()


@application.command("run")
def run(
    store: StoreArgument,
    stage: Annotated[str, typer.Argument(metavar="STAGE", help="A stage that a machine does, such as hardening.")],
    adversary: Annotated[
        str, typer.Option(metavar="KIND", help="The kind of model to harden against.")
    ] = "logistic",
    iterations: Annotated[int, typer.Option(min=1, help="Of hardening.")] = 50,
    seed: Annotated[int, typer.Option(help="Same seed, same result.")] = 0,
) -> None:
    """Do a stage that a machine does, such as hardening pairs against a model.

    Example: `whence collect run mine.db hardening`
    """
    from whence.collection.machines import Settings, run_machine
    from whence.commands.progress import work_progress

    with work_progress() as report:
        made = run_machine(_opened(store), stage, Settings(adversary, iterations, seed, report))
    print_lines([f"{stage} made {made:,} artifacts"])
