"""Inference patterns: every construct by hand, round trips, fuzzing, and the published files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from string import ascii_letters, digits

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import DataError, UsageError
from whence.files import read_json, read_text
from whence.formats.schemas import (
    MAX_NESTING,
    format_schemas,
    format_solutions,
    parse_schemas,
    parse_solutions,
    row_comment_lemmas,
)
from whence.structures.schema import (
    AllOf,
    AnyOf,
    CellPattern,
    Comparison,
    Concatenation,
    Constraint,
    Include,
    Literal,
    Reference,
    RowPattern,
    Schema,
    SchemaSolutions,
    TableSource,
    Term,
    UidSource,
    Variable,
    always_fits,
    row_terms,
)

EXAMPLE = """\
// Made for these tests
inferencepattern Melting

    // Plain text description
    description = "why 'it' melts"

    // CENTRAL  KINDOF: ice is a solid ; thing   (0a1b-22cc-3d4e-5f60) [ HYPONYM:"ice", HYPERNYM:"solid;thing" ]
    row autoRow0 = [TABLE:"KINDOF", HYPONYM: <thing>, HYPERNYM: "solid" || <*kind> + "thing"]
    row *autoRow1 = [UUID:"0a1b-22cc-3d4e-5f60"]   // no cell
    /* row autoRow2 = [TABLE:"HEAT"]
       (ffff-22cc-3d4e-5f60) [ A:"heat" ] */
    row * autoRow2=[ TABLE : 'HEAT' ,
        SOURCE:*"POS:NN"+~"hot thing" ,TARGET : <~thing> ]

    infpat other = Freezing
    musthaveoromit(((<autoRow1> != "") && (other.<thing> == <thing>)) || (<autoRow2> == ""))

endinferencepattern
inferencepattern Freezing endinferencepattern
"""


def cell(column: str, *alternatives: tuple[Term, ...]) -> CellPattern:
    return CellPattern(column, tuple(map(Concatenation, alternatives)))


MELTING = Schema(
    name="Melting",
    description="why 'it' melts",
    rows=(
        RowPattern(
            "autoRow0",
            TableSource("KINDOF"),
            (
                cell("HYPONYM", (Variable("thing"),)),
                cell("HYPERNYM", (Literal("solid"),), (Variable("kind", optional=True), Literal("thing"))),
            ),
        ),
        RowPattern("autoRow1", UidSource("0a1b-22cc-3d4e-5f60"), optional=True),
        RowPattern(
            "autoRow2",
            TableSource("HEAT"),
            (
                cell("SOURCE", (Literal("POS:NN", optional=True), Literal("hot thing", relaxable=True))),
                cell("TARGET", (Variable("thing", relaxable=True),)),
            ),
            optional=True,
        ),
    ),
    constraints=(
        Constraint(
            AnyOf(
                (
                    AllOf(
                        (
                            Comparison(Reference("autoRow1"), "", equal=False),
                            Comparison(Reference("thing", include="other"), Reference("thing")),
                        )
                    ),
                    Comparison(Reference("autoRow2"), ""),
                )
            )
        ),
    ),
    includes=(Include("other", "Freezing"),),
)

MELTING_WRITTEN = """\
inferencepattern Melting

    description = "why 'it' melts"

    infpat other = Freezing

    row autoRow0 = [TABLE:"KINDOF", HYPONYM: <thing>, HYPERNYM: "solid" || <*kind> + "thing"]
    row *autoRow1 = [UUID:"0a1b-22cc-3d4e-5f60"]
    row *autoRow2 = [TABLE:"HEAT", SOURCE: *"POS:NN" + ~"hot thing", TARGET: <~thing>]

    musthaveoromit((<autoRow1> != "" && other.<thing> == <thing>) || <autoRow2> == "")

endinferencepattern

inferencepattern Freezing

endinferencepattern
"""


def in_pattern(items: str) -> str:
    return f"inferencepattern P\n{items}\nendinferencepattern"


def in_row(content: str) -> str:
    return in_pattern(f"row r = [{content}]")


def condition(text: str) -> object:
    return parse_schemas(in_pattern(f"musthaveoromit({text})"))[0].constraints[0].condition


# Reading, by hand


def test_every_construct_is_read() -> None:
    assert parse_schemas(EXAMPLE) == (MELTING, Schema("Freezing"))


def test_lines_are_kept_for_messages() -> None:
    melting, freezing = parse_schemas(EXAMPLE)
    last = melting.rows[2]
    assert (melting.line, freezing.line) == (2, 19)
    assert [row.line for row in melting.rows] == [8, 9, 12]
    assert [row.source.line for row in melting.rows] == [8, 9, 12]
    assert [item.line for item in last.cells] == [13, 13]
    assert melting.includes[0].line == 15
    assert melting.constraints[0].line == 16


def test_the_line_of_a_source_is_that_of_its_string() -> None:
    row = parse_schemas(in_pattern('row r = [\nTABLE:\n"T",\nA\n: "x"]'))[0].rows[0]
    assert (row.line, row.source.line, row.cells[0].line) == (2, 4, 5)


def test_lines_take_no_part_in_equality() -> None:
    assert RowPattern("r", TableSource("T", line=1), line=1) == RowPattern("r", TableSource("T", line=2), line=2)
    assert len({Include("a", "B", line=1), Include("a", "B", line=2)}) == 1


@pytest.mark.parametrize("text", ["", " \n\t", "// nothing", "/* nothing\n */", "/**/", "//"])
def test_a_file_may_have_no_pattern(text: str) -> None:
    assert parse_schemas(text) == ()


@pytest.mark.parametrize(
    "written, text",
    [
        ('"a"', "a"),
        ("'a'", "a"),
        ("'say \"a\"'", 'say "a"'),
        ('"it\'s"', "it's"),
        ('""', ""),
        ('"a // b /* c"', "a // b /* c"),  # no comment inside a string
        (r'"a\"', "a\\"),  # nothing is escaped
        ('" a\t"', " a\t"),  # white space is kept; published descriptions have it
        ('"endinferencepattern"', "endinferencepattern"),
        ('"größer"', "größer"),
    ],
)
def test_strings(written: str, text: str) -> None:
    assert list(row_terms(parse_schemas(in_row(f'TABLE:"T", A: {written}'))[0].rows[0])) == [Literal(text)]


def test_white_space_is_free() -> None:
    tight = "row*r=[UUID:'u',A:<~x>+*'y'||'z']musthaveoromit(<r>==''&&a.<x>!=<x>)"
    loose = "row * r = [ UUID : 'u' , A : < ~ x > + * 'y' || 'z' ] "
    loose += "musthaveoromit ( < r > == '' && a . < x > != < x > )"
    read = parse_schemas(in_pattern(tight))
    assert parse_schemas(in_pattern(loose)) == read
    assert parse_schemas(in_pattern(loose.replace(" ", "\r\n\t"))) == read


def test_two_rows_may_have_the_same_name() -> None:
    schema = parse_schemas(in_pattern('row r = [TABLE:"A"] row r = [TABLE:"B"]'))[0]
    assert [row.name for row in schema.rows] == ["r", "r"]


def test_an_empty_description_is_none() -> None:
    assert parse_schemas(in_pattern('description = ""')) == parse_schemas(in_pattern(""))


A, B, C = (Comparison(Reference(name), "") for name in "abc")


@pytest.mark.parametrize(
    "text, expected",
    [
        ('<a> == ""', A),
        ('((<a> == ""))', A),
        ('<a> != ""', Comparison(Reference("a"), "", equal=False)),
        ('"" == x.<a>', Comparison("", Reference("a", include="x"))),
        ('<a> == "" || <b> == ""', AnyOf((A, B))),
        ('<a> == "" && <b> == "" && <c> == ""', AllOf((A, B, C))),
        ('(<a> == "" && <b> == "") && <c> == ""', AllOf((AllOf((A, B)), C))),
        ('<a> == "" || <b> == "" && <c> == ""', AnyOf((A, AllOf((B, C))))),  # && binds closer
        ('(<a> == "" || <b> == "") && <c> == ""', AllOf((AnyOf((A, B)), C))),
    ],
)
def test_conditions(text: str, expected: object) -> None:
    assert condition(text) == expected


@pytest.mark.parametrize(
    "content, expected",
    [
        ('UUID:"u"', True),
        ('UUID:"u", A: "x" + *"y" || "z"', True),
        ('UUID:"u", A: "x", B: "y" || <z>', False),
        ('TABLE:"T", A: "x"', False),
    ],
)
def test_a_uid_row_of_literals_always_fits(content: str, expected: bool) -> None:
    assert always_fits(parse_schemas(in_row(content))[0].rows[0]) is expected


# Faults, by hand


@pytest.mark.parametrize(
    "text, line, message",
    [
        (
            'inferencepattern P\nrow r = [TABLE:"T]\n',
            2,
            "expected \" at the end of the string, on the same line, found '\"T]'",
        ),
        ("inferencepattern P\ndescription = 'x\n'", 2, "expected ' at the end of the string"),
        ("\n/* a\nb", 2, "expected '*/' at the end of the comment, found the end of the file"),
        (
            "\ninferencepattern P\n// x\n\n",
            3,
            "expected 'endinferencepattern' for the pattern 'P' of line 2, found the end",
        ),
        (
            "inferencepattern P\n\ninferencepattern Q",
            3,
            "expected 'endinferencepattern' for the pattern 'P' of line 1, found 'inferencepattern'",
        ),
        ("inferencepattern", 1, "expected the name of the pattern, found the end of the file"),
        (
            "inferencepattern\nrow r",
            2,
            "expected the name of the pattern, found 'row'. The language reserves the word 'row'.",
        ),
        ("inferencepattern 2nd", 1, "expected the name of the pattern, found '2nd'"),
        (
            "inferencepatern P",
            1,
            "expected 'inferencepattern', found 'inferencepatern'. Did you mean 'inferencepattern'?",
        ),
        ("endinferencepattern", 1, "expected 'inferencepattern', found 'endinferencepattern'"),
        ('row r = [TABLE:"T"]', 1, "expected 'inferencepattern', found 'row'"),
        ('\nimport "x"', 2, "expected 'inferencepattern', found 'import', which is not supported"),
        ("x = 1", 1, "expected 'inferencepattern', found 'x'. Code is not supported"),
        ("inferencepattern P #", 1, "found the character '#'"),
        ("inferencepattern P row r = [TABLE:“T”]", 1, "found the character '“'. Strings stand in straight quotes"),
        ("inferencepattern P - Q", 1, "found the character '-'"),
        ('inferencepattern P "x"', 1, "found the string 'x'"),
    ],
)
def test_faults_of_a_file(text: str, line: int, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_schemas(text)
    assert caught.value.line == line
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "items, message",
    [
        ("rwo r = []", "'musthaveoromit', 'infpat' or 'endinferencepattern', found 'rwo'. Did you mean 'row'?"),
        ("ROW r = []", "Did you mean 'row'?"),
        ("EndInferencePattern", "Did you mean 'endinferencepattern'?"),
        ('const <x> = "y"', "found 'const', which is not supported"),
        ('require instance x = [KINDOF:"y"]', "found 'require', which is not supported"),
        ('musthave(<x> == "")', "found 'musthave', which is not supported"),
        ('shouldhave(<x> == "")', "found 'shouldhave', which is not supported"),
        ("rowequiv a.b = c.d", "found 'rowequiv', which is not supported"),
        ("instmap a = b.c", "found 'instmap', which is not supported"),
        ('executionmode = "auto"', "found 'executionmode', which is not supported"),
        ('println("x")', "found 'println', which is not supported"),
        ('x = "y"', "found 'x'. Code is not supported"),
        ('description "x"', "expected '=', found the string 'x'"),
        ("description = x", "expected the description, a string, found 'x'"),
        ('description = "" description = ""', "expected one description a pattern, found 'description'"),
        ("row = []", "expected the name of the row, found '='"),
        ("row r []", "expected '=', found '['"),
        ('row r = TABLE:"T"', "expected '[', found 'TABLE'"),
        ('row ~r = [TABLE:"T"]', "expected the name of the row, found '~'"),
        ('row r = [TABLE:"T"', "expected ',' or ']', found 'endinferencepattern'"),
        ('row r = [TABLE:"T", A: "x"', "expected '+', '||', ',' or ']', found 'endinferencepattern'"),
        ('row r = [TABLE:"T", A: "x" "y"]', "expected '+', '||', ',' or ']', found the string 'y'"),
        ("infpat = P", "expected a name for the included pattern, found '='"),
        ("infpat x P", "expected '=', found 'P'"),
        ('infpat x = "P"', "expected the name of the pattern to include, found the string 'P'"),
        ("row r = []", "expected 'TABLE' or 'UUID', found ']'"),
        ('row r = ["TABLE":"T"]', "expected 'TABLE' or 'UUID', found the string 'TABLE'"),
        ('row r = [table:"T"]', "expected 'TABLE' or 'UUID', found 'table'"),
        ('row r = [TABLE "T"]', "expected ':', found the string 'T'"),
        ("row r = [TABLE:T]", "expected the name of a table, a string, found 'T'"),
        ("row r = [UUID:12ab]", "expected the UUID of a row, a string, found '12ab'"),
        ('row r = [TABLE:"T",]', "expected the name of a column, found ']'"),
        ('row r = [TABLE:"T", UUID:"u"]', "expected the name of a column, found 'UUID'. The language reserves"),
        ('row r = [TABLE:"T", A "x"]', "expected ':', found the string 'x'"),
        ('row r = [TABLE:"T", A:]', "expected a string or a <variable>, found ']'"),
        ('row r = [TABLE:"T", A: x]', "expected a string or a <variable>, found 'x'"),
        ('row r = [TABLE:"T", A: "x" +]', "expected a string or a <variable>, found ']'"),
        ('row r = [TABLE:"T", A: "x" | "y"]', "found the character '|'. Alternatives are joined by two bars: ||."),
        ('row r = [TABLE:"T", A: <x]', "expected '>' after the name of the variable, found ']'"),
        ('row r = [TABLE:"T", A: <"x">]', "expected the name of a variable, found the string 'x'"),
        (
            'row r = [TABLE:"T", A: *<x>]',
            "expected a string after the mark, found '<'. A variable has its mark inside: <*name>.",
        ),
        (
            'row r = [TABLE:"T", A: *~"x"]',
            "expected one mark before a term, '*' (optional) or '~' (relaxable), found '*~'",
        ),
        ('row r = [TABLE:"T", A: <~*x>]', "found '~*'. A term is never both."),
        ('row r = [TABLE:"T", A: **"x"]', "found '**'"),
        ('musthaveoromit <x> == ""', "expected '(', found '<'"),
        ("musthaveoromit()", "expected <name>, REFERENCE.<name> or a string, found ')'"),
        ("musthaveoromit(<x>)", "expected '==' or '!=', found ')'"),
        ("musthaveoromit(<x> > <y>)", "expected '==' or '!=', found '>'. Comparisons of size are not supported."),
        ("musthaveoromit(<x> == 3)", "expected <name>, REFERENCE.<name> or a string, found '3'"),
        ('musthaveoromit(<x> == "" + "y")', "expected '&&', '||' or ')', found '+'"),
        ('musthaveoromit((<x> == "")', "expected '&&', '||' or ')', found 'endinferencepattern'"),
        ('musthaveoromit(<x> == "" &&)', "expected <name>, REFERENCE.<name> or a string, found ')'"),
        ('musthaveoromit(<x> == "" & <y> == "")', "found the character '&'. Conditions are joined by two signs"),
        ('musthaveoromit(!(<x> == ""))', "found the character '!'. There is no negation"),
        ('musthaveoromit(x == "")', "expected '.<name>' after the reference 'x', found '=='"),
        ('musthaveoromit(x.y == "")', "expected a <name>, found 'y'"),
        ('musthaveoromit(<*x> == "")', "expected the name of a row or variable, found '*'"),
        ('musthaveoromit(<x == "")', "expected '>' after the name, found '=='"),
    ],
)
def test_faults_of_a_pattern(items: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_schemas(f"// first line\ninferencepattern P\n{items} endinferencepattern")
    assert caught.value.line == 3
    assert message in str(caught.value)


def nested(depth: int) -> str:
    return in_pattern(f'musthaveoromit({"(" * depth}<a> == ""{")" * depth})')


def test_parentheses_nest_to_a_limit() -> None:
    assert parse_schemas(nested(MAX_NESTING))[0].constraints[0].condition == A
    for depth in (MAX_NESTING + 1, 100_000):
        with pytest.raises(DataError, match="line 2: expected at most 50 parentheses within each other"):
            parse_schemas(nested(depth))


def test_unclosed_parentheses_are_a_fault_at_any_depth() -> None:
    with pytest.raises(DataError):
        parse_schemas("inferencepattern P musthaveoromit" + "(" * 100_000)


# Writing, by hand


def test_the_layout() -> None:
    assert format_schemas([MELTING, Schema("Freezing")]) == MELTING_WRITTEN


def test_nothing_is_written_for_no_schema() -> None:
    assert format_schemas([]) == ""


def test_a_string_with_double_quotes_gets_single_ones() -> None:
    assert "description = 'the \"x\"'" in format_schemas([Schema("P", description='the "x"')])


def with_term(term: Term) -> Schema:
    return Schema("P", (RowPattern("r", TableSource("T"), (cell("A", (term,)),)),))


def with_condition(depth: int) -> Schema:
    tree: Comparison | AllOf = A
    for _ in range(depth):
        tree = AllOf((tree, A))
    return Schema("P", constraints=(Constraint(tree),))


@pytest.mark.parametrize(
    "schema, message",
    [
        (Schema("two words"), "'two words' cannot be written as a name"),
        (Schema(""), "'' cannot be written as a name"),
        (Schema("row"), "is no keyword"),
        (Schema("P\n"), "cannot be written as a name"),
        (Schema("P", includes=(Include("1", "P"),)), "cannot be written as a name"),
        (Schema("P", description="a\nb"), "it has a line break"),
        (Schema("P", description="\"'"), "it has both kinds of quotes"),
        (with_term(Literal("x", optional=True, relaxable=True)), "optional or relaxable, not both"),
        (Schema("P", (RowPattern("r", TableSource("T"), (cell("A"),)),)), "takes at least 1 part"),
        (Schema("P", (RowPattern("r", TableSource("T"), (cell("A", ()),)),)), "takes at least 1 part"),
        (Schema("P", constraints=(Constraint(AllOf((A,))),)), "takes at least 2 part"),
        (with_condition(MAX_NESTING + 2), "50 parentheses"),
    ],
)
def test_what_the_language_cannot_express_is_refused(schema: Schema, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        format_schemas([schema])


def test_the_deepest_condition_is_written_and_read() -> None:
    schema = with_condition(MAX_NESTING + 1)
    assert parse_schemas(format_schemas([schema])) == (schema,)


# Row comments


def test_row_comments_tell_lemmas() -> None:
    assert row_comment_lemmas(EXAMPLE) == {
        "0a1b-22cc-3d4e-5f60": {"HYPONYM": ("ice",), "HYPERNYM": ("solid", "thing")},
        "ffff-22cc-3d4e-5f60": {"A": ("heat",)},
    }


@pytest.mark.parametrize(
    "text, expected",
    [
        ("// (a-1) [ ]", {"a-1": {}}),
        ('// (x) y (a-1) [A:"b", C1_D:"e f ; g;" ] z', {"a-1": {"A": ("b",), "C1_D": ("e f", "g", "")}}),
        ('// (a-1) [ A:"b" ]\n// (a-1) [ A:"c" ]', {"a-1": {"A": ("b",)}}),  # the first counts
        ('// (a-1) [ A:"b" ] (a-2) [ A:"c]" ]', {"a-1": {"A": ("b",)}, "a-2": {"A": ("c]",)}}),
        ('// (a-1) [ A:"b" C:"d" ]', {}),  # no row comment
        ('// (a-1) [ A:"b"', {}),
        ('// (a-1)\n// [ A:"b" ]', {}),
        ("""inferencepattern P description = '// (a-1) [ A:"b" ]'""", {}),  # a string, no comment
    ],
)
def test_what_is_a_row_comment(text: str, expected: object) -> None:
    assert row_comment_lemmas(text) == expected


def test_row_comments_of_a_text_that_cannot_be_read() -> None:
    with pytest.raises(DataError, match="line 2: expected '\\*/'"):
        row_comment_lemmas("// x\n/* (a-1) [ ]")


# Solutions

SOLUTIONS_JSON = [
    {"pattern": "P", "slots": ["a", "a"], "solutions": [["u-1", ""], ["TEMPGEN-3", "u-2"]]},
    {"pattern": "Q", "slots": [], "solutions": []},
]
SOLUTIONS = (
    SchemaSolutions("P", ("a", "a"), (("u-1", ""), ("TEMPGEN-3", "u-2"))),
    SchemaSolutions("Q", (), ()),
)


def test_solutions_are_read_and_written() -> None:
    assert parse_solutions(SOLUTIONS_JSON) == SOLUTIONS
    assert format_solutions(SOLUTIONS) == SOLUTIONS_JSON


@pytest.mark.parametrize(
    "value, message",
    [
        ({}, "expected a list of patterns with solutions, found an empty object"),
        (None, "found null"),
        ("x", "found 'x'"),
        ([3], "expected an object with the fields pattern, slots, solutions as item 1, found a number"),
        ([{"pattern": "P", "slots": []}], "found an object with the fields 'pattern, slots'"),
        (
            [{"pattern": None, "slots": [], "solutions": []}],
            "expected the name of a pattern in item 1, found null",
        ),
        ([{"pattern": "P", "slots": "a", "solutions": []}], "expected a list of slot names for 'P', found 'a'"),
        ([{"pattern": "P", "slots": [1], "solutions": []}], "found a list of 1, not all strings"),
        ([{"pattern": "P", "slots": [], "solutions": {}}], "expected a list of solutions for 'P'"),
        (
            [{"pattern": "P", "slots": ["a"], "solutions": [["u"], []]}],
            "expected a list of 1 uids, one a slot, as solution 2 of 'P', found a list of 0",
        ),
        ([{"pattern": "P", "slots": ["a"], "solutions": [[None]]}], "found a list of 1, not all strings"),
        ([{"pattern": "P", "slots": ["a"], "solutions": ["u"]}], "found 'u'"),
    ],
)
def test_faults_of_solutions(value: object, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_solutions(value)
    assert message in str(caught.value)


# Properties

KEYWORDS = frozenset(
    {"inferencepattern", "endinferencepattern", "row", "description", "musthaveoromit", "infpat", "TABLE", "UUID"}
)
names = st.builds(
    "{}{}".format,
    st.sampled_from(ascii_letters + "_"),
    st.text(ascii_letters + digits + "_", max_size=6),
).filter(lambda name: name not in KEYWORDS)
strings = st.one_of(
    st.text(st.characters(exclude_characters="\n'", exclude_categories=["Cs"]), max_size=12),
    st.text(st.characters(exclude_characters='\n"', exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(["", "POS:NN", "be source of", "// no comment", "/*", "*/", "<x>"]),
)
marks = st.sampled_from([{}, {"optional": True}, {"relaxable": True}])
terms = st.one_of(
    st.builds(lambda text, mark: Literal(text, **mark), strings, marks),
    st.builds(lambda name, mark: Variable(name, **mark), names, marks),
)
concatenations = st.builds(Concatenation, st.lists(terms, min_size=1, max_size=3).map(tuple))
cells = st.builds(CellPattern, names, st.lists(concatenations, min_size=1, max_size=3).map(tuple))
sources = st.one_of(st.builds(TableSource, strings), st.builds(UidSource, strings))
rows = st.builds(RowPattern, names, sources, st.lists(cells, max_size=3).map(tuple), st.booleans())
operands = st.one_of(strings, st.builds(Reference, names, st.one_of(st.just(""), names)))
conditions = st.recursive(
    st.builds(Comparison, operands, operands, st.booleans()),
    lambda parts: st.one_of(
        st.builds(AllOf, st.lists(parts, min_size=2, max_size=3).map(tuple)),
        st.builds(AnyOf, st.lists(parts, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)
schemas = st.builds(
    Schema,
    names,
    st.lists(rows, max_size=3).map(tuple),
    st.lists(st.builds(Constraint, conditions), max_size=2).map(tuple),
    st.lists(st.builds(Include, names, names), max_size=2).map(tuple),
    strings,
)
pieces = st.one_of(
    st.sampled_from(
        [*sorted(KEYWORDS), "const", *"[]<>()=:,+*~.|&!-/\"' \n", "||", "&&", "==", "!=", "//", "/*", "*/"]
    ),
    names,
    strings.map(lambda text: f'"{text}"'),
)


@st.composite
def mutated(draw: st.DrawFn, text: str = EXAMPLE) -> str:
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 20)))
        text = text[:start] + draw(st.one_of(st.just(""), pieces, st.text(max_size=3))) + text[end:]
    return text


def check_any_text(text: str) -> None:
    """Whatever the text, it is read or refused with a line of it; what is read is written and read again."""
    try:
        row_comment_lemmas(text)
        read = parse_schemas(text)
    except DataError as error:
        assert error.line is not None
        assert 1 <= error.line <= text.count("\n") + 1
        assert "\n" not in str(error)
    else:
        assert parse_schemas(format_schemas(read)) == read


@settings(deadline=None)
@given(st.lists(schemas, max_size=3).map(tuple))
def test_what_is_written_is_read_again(generated: tuple[Schema, ...]) -> None:
    assert parse_schemas(format_schemas(generated)) == generated


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    check_any_text(text)


@settings(deadline=None)
@given(st.lists(pieces, max_size=30))
def test_any_tokens_are_read_or_refused(tokens: list[str]) -> None:
    check_any_text("inferencepattern P " + " ".join(tokens))


@settings(deadline=None)
@given(mutated())
def test_any_damage_is_read_or_refused(text: str) -> None:
    check_any_text(text)


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["pattern", "slots", "solutions", "x"]), inner, max_size=4),
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(
    st.one_of(
        json_values, st.lists(st.fixed_dictionaries(dict.fromkeys(["pattern", "slots", "solutions"], json_values)))
    )
)
def test_any_json_is_solutions_or_refused(value: object) -> None:
    try:
        read = parse_solutions(value)
    except DataError:
        return
    assert format_solutions(read) == value


# The published files


@pytest.fixture(scope="module")
def cosata() -> Path:
    folder = os.environ.get("WHENCE_DATA")
    if not folder:
        pytest.skip("WHENCE_DATA names no folder with the published data")
    path = Path(folder) / "cosata"
    if not path.is_dir():
        pytest.skip(f"{path} is not there")
    return path


@pytest.fixture(scope="module")
def texts(cosata: Path) -> list[str]:
    return [read_text(path) for path in sorted((cosata / "patterns").glob("*.iml"))]


@pytest.fixture(scope="module")
def files(texts: list[str]) -> list[tuple[Schema, ...]]:
    return [parse_schemas(text) for text in texts]


def all_rows(files: list[tuple[Schema, ...]]) -> Iterator[RowPattern]:
    for file in files:
        for schema in file:
            yield from schema.rows


@pytest.mark.real_data
def test_published_patterns_have_the_known_shape(files: list[tuple[Schema, ...]]) -> None:
    found = [schema for file in files for schema in file]
    assert (len(files), len(found)) == (354, 385)
    assert sum(len(file) == 1 for file in files) == 338
    assert max(map(len, files)) == 7
    assert (min(len(schema.rows) for schema in found), max(len(schema.rows) for schema in found)) == (2, 30)
    assert sum(len({row.name for row in schema.rows}) < len(schema.rows) for schema in found) == 2
    assert len({schema.name for schema in found}) == 385
    assert sum(len(schema.constraints) for schema in found) == 5
    assert sum(len(schema.includes) for schema in found) == 1


@pytest.mark.real_data
def test_published_rows_have_the_known_counts(files: list[tuple[Schema, ...]]) -> None:
    found = list(all_rows(files))
    by_uid = [row for row in found if isinstance(row.source, UidSource)]
    by_table = [row for row in found if isinstance(row.source, TableSource)]
    assert len(found) == 4_651
    assert (len(by_uid), sum(row.optional for row in by_uid)) == (3_499, 251)
    assert (len(by_table), sum(row.optional for row in by_table)) == (1_152, 120)
    assert sum(map(always_fits, found)) == 3_345
    assert sum(not row.cells for row in found) == 4


@pytest.mark.real_data
def test_published_cells_have_the_known_counts(files: list[tuple[Schema, ...]]) -> None:
    found = [item for row in all_rows(files) for item in row.cells]
    used = [term for row in all_rows(files) for term in row_terms(row)]
    literals = [term for term in used if isinstance(term, Literal)]
    variables = [term for term in used if isinstance(term, Variable)]
    assert len(found) == 15_041
    assert sum(len(item.alternatives) > 1 for item in found) == 10
    assert sum(len(option.terms) - 1 for item in found for option in item.alternatives) == 473
    assert (len(literals), sum(len(literal.text.split()) > 1 for literal in literals)) == (14_655, 4_658)
    assert sum(literal.optional for literal in literals) == 150
    assert sum(literal.text.startswith("POS:") for literal in literals) == 136
    assert sum(literal.relaxable for literal in literals) == 24
    assert len(variables) == 869
    assert (
        sum(variable.relaxable for variable in variables),
        sum(variable.optional for variable in variables),
    ) == (4, 0)


@pytest.mark.real_data
def test_published_variables_per_pattern(files: list[tuple[Schema, ...]]) -> None:
    distinct = [
        {term.name for row in schema.rows for term in row_terms(row) if isinstance(term, Variable)}
        for file in files
        for schema in file
    ]
    assert sum(map(len, distinct)) == 303


@pytest.mark.real_data
def test_published_patterns_are_written_and_read_again(files: list[tuple[Schema, ...]]) -> None:
    for file in files:
        assert parse_schemas(format_schemas(file)) == file


@pytest.mark.real_data
def test_published_row_comments(texts: list[str]) -> None:
    lemmas: dict[str, dict[str, tuple[str, ...]]] = {}
    for text in texts:
        lemmas = row_comment_lemmas(text) | lemmas
    assert len(lemmas) == 3_172
    assert sum(map(len, lemmas.values())) == 10_892
    assert lemmas["1cca-1ac1-5bea-5cf6"] == {
        "CONDITION_AGENT_OBJECT": ("earth",),
        "CONDITION_VERB": ("revolve",),
        "CONDITION_PATIENT": ("around sun",),
        "RESULT_AGENT": ("season",),
        "RESULT_VERB": ("change", "occur"),
        "RESULT_PATIENT": ("on axis",),
    }


@pytest.mark.real_data
def test_published_solutions(cosata: Path) -> None:
    values = [read_json(path) for path in sorted((cosata / "solutions").glob("*.json"))]
    read = [parse_solutions(value) for value in values]
    assert [format_solutions(file) for file in read] == values
    found = [pattern for file in read for pattern in file]
    assert (len(read), len(found)) == (175, 194)
    assert sum(len(pattern.solutions) for pattern in found) == 7_474
    assert sum(not pattern.slots for pattern in found) == 3


@pytest.mark.real_data
@settings(deadline=None)
@given(data=st.data())
def test_any_damage_to_a_published_file_is_read_or_refused(data: st.DataObject, texts: list[str]) -> None:
    shortest = sorted(texts, key=len)[:40]
    check_any_text(data.draw(mutated(data.draw(st.sampled_from(shortest)))))
