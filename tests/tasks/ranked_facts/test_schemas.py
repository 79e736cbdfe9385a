"""Table stores as words, pattern files, and solutions that are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.solvers.schemas.tables import lemma, store

from whence.errors import DataError, MissingDataError
from whence.structures.facts import FactBase, Table
from whence.tasks.ranked_facts.schemas.checking import check_files
from whence.tasks.ranked_facts.schemas.completion import GENERATED
from whence.tasks.ranked_facts.schemas.solving import Order, solve, solved
from whence.tasks.ranked_facts.schemas.storage import load_solutions, save_solutions
from whence.tasks.ranked_facts.schemas.words import column_name, lemmatiser, word_store

# ---------------------------------------------------------------- tables as words


@pytest.mark.parametrize(
    ("header", "name"),
    [("OBJECT/AGENT", "OBJECT_AGENT"), ("by/through  how", "BY_THROUGH_HOW"), ("[FILL] is a", "FILL_IS_A")],
)
def test_column_names(header: str, name: str) -> None:
    assert column_name(header) == name


def test_rows_of_a_store_as_words() -> None:
    """Dropped: no id, deprecated, no text. Later columns of a name count; skipped columns have no words."""
    table = Table(
        "T",
        ("[FILL] the", "A/B", "[SKIP] COMMENTS", "A B", "[SKIP] DEP", "[SKIP] UID"),
        (
            ("the", "red rocks", "note", "blue", "", "one"),
            ("", "old", "", "", "yes", "two"),
            ("", "", "", "", "", "three"),
            ("", "no id"),
        ),
    )
    no_ids = Table("LemmatizerAdditions", ("harm", "harmful"), ())
    found = word_store(FactBase((table, no_ids)), lemma)
    assert list(found.by_name) == ["t"]
    (row,) = found.by_name["t"].rows
    assert row.id == "one"
    assert {name: [[word.lemma for word in words] for words in cell] for name, cell in row.cells.items()} == {
        "A_B": [["blue"]]
    }
    assert found.by_name["t"].columns["a/b"] == "A_B"


# ---------------------------------------------------------------- what follows from kinds


def _kinds(rows: str) -> list[tuple[str, str]]:
    found = store({"KINDOF": f"HYPONYM | [FILL] is a kind of | HYPERNYM | SCOPE\n{rows}"})
    rows_of = found.by_name["kindof"].rows
    return [("new" if row.id.startswith(GENERATED) else row.id, row.text) for row in rows_of]


@pytest.mark.parametrize(
    ("rows", "added"),
    [
        # two steps, then three
        (
            "cat | is a kind of | mammal |\nmammal | is a kind of | animal |\nanimal | is a kind of | organism |",
            ["cat is a kind of animal", "mammal is a kind of organism", "cat is a kind of organism"],
        ),
        # lemmas of the one, written words of the other: a plural hyponym is not met, a plural hypernym meets
        ("cat | is a kind of | mammals |\nmammal | is a kind of | animal |", ["cat is a kind of animal"]),
        ("cat | is a kind of | mammal |\nmammals | is a kind of | animal |", []),
        # all words, not only those with content
        ("cat | is a kind of | mammal |\nthe mammal | is a kind of | animal |", []),
        # each hypernym of either row; the hyponym by its first alternative
        (
            "cat; puss | is a kind of | pet; mammal |\npet | is a kind of | friend; joy |",
            ["cat is a kind of friend", "cat is a kind of joy"],
        ),
        # what is there already is not added, unless another column differs
        ("cat | is a kind of | pet |\npet | is a kind of | friend |\ncat | is a kind of | Friend |", []),
        (
            "cat | is a kind of | pet |\npet | is a kind of | friend |\ncat | is a kind of | friend | at home",
            ["cat is a kind of friend"],
        ),
    ],
)
def test_kinds_of_kinds_are_added(rows: str, added: list[str]) -> None:
    found = _kinds(rows)
    assert [text for name, text in found if name == "new"] == added
    assert len(found) == rows.count("\n") + 1 + len(added)


def test_a_circle_of_kinds_ends() -> None:
    found = _kinds("cat | is a kind of | pet |\npet | is a kind of | friend |\nfriend | is a kind of | pet |")
    added = {"cat is a kind of friend", "pet is a kind of pet", "friend is a kind of friend"}
    assert {text for name, text in found if name == "new"} == added


def test_other_tables_are_left_as_they_are() -> None:
    tables = store({"PARTOF": "HYPONYM | HYPERNYM\ncat | pet\npet | friend"})
    assert len(tables.by_name["partof"].rows) == 2


# ---------------------------------------------------------------- pattern files


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    (folder / "tables").mkdir(parents=True)
    (folder / "tableindex.txt").write_text("IS.tsv\n")
    (folder / "tables" / "IS.tsv").write_text(
        "THING\t[FILL] is\tKIND\t[SKIP] UID\ncat\tis\ta mammal\tone\noak\tis\ta tree\ttwo\n"
    )
    return folder


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


PATTERN = 'inferencepattern p\nrow a = [TABLE:"IS", THING: <x>]\nendinferencepattern\n'

FAULTS = [
    ('row a = [TABEL:"IS"]', "line 2: expected 'TABLE' or 'UUID', found"),
    ('row a = [TABLE:"IZ"]', "line 2: expected a table of the store, found 'IZ'"),
    ('row a = [TABLE:"IS",\n KIN: "x"]', "line 3: expected a column of IS, found 'KIN'"),
    ('row a = [UUID:"three"]', "line 2: expected the UUID of a live row of the store, found 'three'"),
    ("", "line 1: expected a row or an included pattern, found none in 'p'"),
    ("infpat i = q", "line 2: expected the name of a pattern in these files, found 'q'"),
    ("infpat i = p", "line 2: expected a pattern that does not include itself, found 'p' includes 'p'"),
    (
        "infpat i = q\nendinferencepattern\ninferencepattern q\ninfpat i = p",
        "line 2: expected a pattern that does not include itself, found 'p' includes 'q' includes 'p'",
    ),
    (
        'row a = [TABLE:"IS"]\nmusthaveoromit(<b> == "")',
        "line 3: expected a row or variable of the pattern, found 'b'",
    ),
    (
        'row a = [TABLE:"IS"]\nmusthaveoromit(i.<b> == "")',
        "line 3: expected the name of an included pattern, found 'i'",
    ),
    (
        'row a = [TABLE:"IS"]\nendinferencepattern\ninferencepattern p\nrow a = [TABLE:"IS"]',
        "line 4: expected a name of its own for each pattern, found 'p' twice",
    ),
]


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_faults_are_one_line_with_file_and_line(text: str, message: str, tables: Path, tmp_path: Path) -> None:
    path = _file(tmp_path, "bad.iml", f"inferencepattern p\n{text}\nendinferencepattern\n")
    with pytest.raises(DataError) as caught:
        solve(Order((path,), tables))
    assert str(caught.value).startswith(f"{path}, {message}")
    assert str(caught.value) == str(check_files([path], tables).problems[0])


def test_check_names_all_faults_of_all_files(tables: Path, tmp_path: Path) -> None:
    many = _file(tmp_path, "a.iml", PATTERN.replace("THING", "X").replace('"IS"', '"IS", Y: "y"'))
    broken = _file(tmp_path, "b.iml", "inferencepattern")
    found = check_files([many, broken, _file(tmp_path, "c.iml", PATTERN)], tables)
    assert (found.files, found.patterns) == (3, 2)
    assert [(Path(str(e.path)).name, e.line) for e in found.problems] == [("b.iml", 1), ("a.iml", 2), ("a.iml", 2)]


def test_a_pattern_of_another_file_is_included(tables: Path, tmp_path: Path) -> None:
    outer = _file(tmp_path, "a.iml", 'inferencepattern q infpat i = p row b = [UUID:"two"] endinferencepattern')
    table = solve(Order((outer, _file(tmp_path, "b.iml", PATTERN)), tables))
    first, second = (table.solutions(pattern) for pattern in table.patterns)
    assert (first.slots, first.solutions) == (("b", "i.a"), (("two", "one"), ("two", "two")))
    assert second.solutions == (("one",), ("two",))
    assert table.texts[table.ids.index("one")] == "cat is a mammal"


def test_solutions_are_kept_and_found_anew_where_anything_changed(
    tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "cache"))
    path = _file(tmp_path, "a.iml", PATTERN)
    order, told = Order((path,), tables), list[int]()
    report = lambda _what, done, _total: told.append(done)  # noqa: E731
    table = solved(order, report)
    assert told == [0, 1]
    again = solved(order, report)
    assert told == [0, 1]
    assert (again.ids, again.texts) == (table.ids, table.texts)
    assert np.array_equal(again.patterns[0].facts, table.patterns[0].facts)
    with (tables / "tables" / "IS.tsv").open("a") as rows:
        rows.write("ant\tis\tan insect\tthree\n")
    assert len(solved(order, report).patterns[0]) == 3
    assert told == [0, 1, 0, 1]


def test_processes_find_what_one_finds(tables: Path, tmp_path: Path) -> None:
    paths = tuple(_file(tmp_path, f"{n}.iml", PATTERN.replace(" p\n", f" p{n}\n")) for n in range(40))
    alone, together = (solve(Order(paths, tables, processes=processes)) for processes in (1, 2))
    assert [p.pattern for p in together.patterns] == [f"p{n}" for n in range(40)]
    assert [together.solutions(p) for p in together.patterns] == [alone.solutions(p) for p in alone.patterns]


def test_kept_solutions_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    with pytest.raises(MissingDataError, match="no such file"):
        load_solutions(path)
    for content in (b"", b"PK\x03\x04 broken", b"\x93NUMPY"):
        path.write_bytes(content)
        with pytest.raises(DataError, match="expected solutions of schemas"):
            load_solutions(path)


def test_solutions_can_be_saved(tables: Path, tmp_path: Path) -> None:
    table = solve(
        Order(
            (
                _file(
                    tmp_path,
                    "a.iml",
                    PATTERN + 'inferencepattern q row r = [TABLE:"IS", KIND: "x"] endinferencepattern',
                ),
            ),
            tables,
        )
    )
    save_solutions(table, tmp_path / "deep" / "x.npz")
    found = load_solutions(tmp_path / "deep" / "x.npz")
    assert [(p.pattern, p.slots, p.file, p.complete, p.facts.tolist()) for p in found.patterns] == [
        ("p", ("a",), "a.iml", True, [[0], [1]]), ("q", (), "a.iml", True, []),
    ]  # fmt: skip


def test_word_list_with_a_fault_names_file_and_line(tmp_path: Path) -> None:
    path = _file(tmp_path, "words.txt", "be\tis\nbroken\n")
    with pytest.raises(DataError, match=r"words\.txt, line 2: expected lemma<TAB>word"):
        lemmatiser(path)
