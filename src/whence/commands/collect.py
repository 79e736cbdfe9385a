"""`whence collect`: collections of explanations made by people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from whence.commands.output import JsonOption, counted, print_json, print_lines, print_table
from whence.errors import UsageError

if TYPE_CHECKING:
    from whence.collection.administration import PayLine, Progress
    from whence.collection.collection import Collection
    from whence.collection.configuration import Configuration, Source
    from whence.collection.importing import Item
    from whence.structures.results import Measurement

application = typer.Typer(
    help="Collect explanations from people: create, verify, rate; agreement, pay, export.", no_args_is_help=True
)

StoreArgument = Annotated[
    str, typer.Argument(metavar="STORE", help="A file such as mine.db, or the URL of a PostgreSQL database.")
]
ConfigArgument = Annotated[
    str,
    typer.Argument(
        metavar="CONFIG",
        help="A TOML file, or a bundled configuration: explagraphs, worldtree, cider, art or entailmentbank.",
    ),
]
ItemsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--items",
        metavar="SOURCE=FILE",
        help="Items for a source of the configuration: a JSONL file, a file of its task, 'samples' or a split.",
    ),
]
RankingOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--ranking",
        metavar="FILE",
        help="A ranking to make shortlists from: lines of question id and fact id, best first. Without it, the "
        "embedded ranker makes them.",
    ),
]


def _opened(store: str) -> Collection:
    from whence.collection.collection import open_collection

    return open_collection(store)


@application.command("new")
def new(
    config: ConfigArgument, store: StoreArgument, items: ItemsOption = None, ranking: RankingOption = None
) -> None:
    """Begin a collection: create its store from a configuration, and add items.

    Examples:
      whence collect new art mine.db --items stories=samples
      whence collect new my-own.toml mine.db --items texts=texts.jsonl
    """
    from whence.collection.collection import new_collection
    from whence.collection.configuration_files import read_configuration

    found, text = read_configuration(config)
    wanted = [_read(found, one, ranking) for one in items or ()]  # before a store is made
    collection = new_collection(store, text)
    print_lines([f"{found.name}, version {collection.version}: {counted(len(found.stages), 'stage')} in {store}"])
    for source, given in wanted:
        _add(collection, source, given)
    print_lines([f"Let people in with: whence collect serve {store}"])


@application.command("add")
def add(
    store: StoreArgument,
    items: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE=FILE...", help="Items for a source, as for `whence collect new --items`."),
    ],
    ranking: RankingOption = None,
) -> None:
    """Add items to a collection. Items that it already has are not added again.

    Example:
      whence collect add mine.db generations=generated.jsonl
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
    print_lines([f"{counted(added.new, 'item')} of {source.name} added{known}"])


@application.command("update")
def update(store: StoreArgument, config: ConfigArgument) -> None:
    """Continue a collection with a changed configuration.

    Earlier versions are kept, together with what was made under them.

    Example:
      whence collect update mine.db explagraphs-round-2.toml
    """
    from whence.collection.collection import change_configuration
    from whence.collection.configuration_files import read_configuration

    _, text = read_configuration(config)
    print_lines([f"version {change_configuration(_opened(store), text)}"])


@application.command("serve")
def serve(
    store: StoreArgument,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes any free one.")
    ] = 8643,
    host: Annotated[
        str,
        typer.Option(metavar="NAME", help="The address to listen on; by default only this machine can reach it."),
    ] = "127.0.0.1",
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="How many processes serve; more than one needs PostgreSQL.")
    ] = 1,
) -> None:
    """Serve the pages on which people work, and those for administrators.

    As long as there is no administrator, it prints a link that makes whoever
    opens it the first one. `whence collect invite` makes links for workers.

    Examples:
      whence collect serve mine.db
      whence collect serve postgresql://localhost/mine --workers 2
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
    administrator: Annotated[bool, typer.Option("--administrator", help="Make links for administrators.")] = False,
    address: Annotated[
        str, typer.Option(metavar="URL", help="The address under which people reach the pages.")
    ] = "http://localhost:8643",
) -> None:
    """Print invitation links. Each lets one person in, once.

    Example:
      whence collect invite mine.db --count 20 --address https://study.example.org
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
    close: Annotated[
        bool, typer.Option("--close", help="Close the stage: nobody can begin new work there.")
    ] = False,
) -> None:
    """Open a stage so that people can begin work there, or close it.

    Work that was begun can always be finished.

    Examples:
      whence collect open mine.db hamlet-2
      whence collect open mine.db hamlet-1 --close
    """
    _opened(store).set_open(stage, not close, "command line")
    print_lines([f"{stage} is {'closed' if close else 'open'}"])


@application.command("status")
def status(store: StoreArgument, json: JsonOption = False) -> None:
    """Show the progress of every stage.

    Example:
      whence collect status mine.db
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
    """Show how far people agree on each question so far.

    Example:
      whence collect agreement mine.db
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
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="The folder to write: a new or empty one.")
    ],
    published: Annotated[
        bool, typer.Option("--published", help="Write examples in the published form instead of our own JSONL.")
    ] = False,
    platform_ids: Annotated[
        bool, typer.Option("--platform-ids", help="Include the crowd platform's worker ids.")
    ] = False,
    timings: Annotated[
        bool, typer.Option("--timings", help="Include when each piece of work was done and how long it took.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Write the collected examples and every judgement, under pseudonyms.

    The examples are in the form that every command reads.

    Examples:
      whence collect export mine.db -o collected
      whence collect export mine.db -o collected --published --timings
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
        Path | None, typer.Option("--csv", metavar="FILE", help="Write every line of the ledger to this file.")
    ] = None,
    mark_paid: Annotated[
        bool, typer.Option("--mark-paid", help="Mark everything that is approved as paid.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Report what each worker is owed and has been paid.

    Examples:
      whence collect pay mine.db --csv ledger.csv
      whence collect pay mine.db --mark-paid
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
    iterations: Annotated[int, typer.Option(min=1, help="How many iterations of hardening.")] = 50,
    seed: Annotated[int, typer.Option(help="The same seed gives the same result.")] = 0,
) -> None:
    """Run a stage that is done by a machine, such as hardening pairs against a model.

    Example:
      whence collect run mine.db hardening
    """
    from whence.collection.machines import Settings, run_machine
    from whence.commands.progress import work_progress

    with work_progress() as report:
        made = run_machine(_opened(store), stage, Settings(adversary, iterations, seed, report))
    print_lines([f"{stage} made {made:,} artifacts"])
