"""Lines, comments, continuations, semicolons and tokens."""

from helpers import for_each
from mqlab.engine.words.lexer import read_commands, read_tokens


def texts(text):
    return [source.text for source in read_commands(text)[0]]


@for_each(
    "text, expected",
    ("", []),
    ("\n\n* only a comment\n  \t\n", []),
    ("A\nB", ["A", "B"]),
    ("A\r\nB\r\n", ["A", "B"]),
    ("A\rB", ["A", "B"]),
    ("\ufeffA", ["A"]),
    ("  A  \t", ["A"]),
    ("A +\nB", ["A B"]),
    ("A +   \n   B", ["A B"]),
    ("A+\n   B", ["AB"]),
    ("A -\n   B", ["A    B"]),
    ("A-\nB", ["AB"]),
    ("'Fr+\n   ed'", ["'Fred'"]),
    ("'Fr-\ned'", ["'Fred'"]),
    ("NAMES(X+\n,Y)", ["NAMES(X,Y)"]),
    ("A +\n* comment\n\n   \n  B", ["A B"]),
    ("A +\n  * indented comment\n  B", ["A B"]),
    ("A +\n*  ALTDATE(2020-01-01) +\n  B", ["A B"]),
    ("A(+\n *)", ["A(*)"]),
    ("A('x +\n *y')", ["A('x *y')"]),
    ("A; B ;C", ["A", "B", "C"]),
    ("A;;B;", ["A", "B"]),
    ("A('x;y') B", ["A('x;y') B"]),
    ("A('it''s; so');B", ["A('it''s; so')", "B"]),
    ("A('x +\n y;z');B", ["A('x y;z')", "B"]),
    ("A +\n;B", ["A", "B"]),
    ("A; * a comment", ["A"]),
    ("A\nEND\nB", ["A"]),
    ("A\n  quit \nB", ["A"]),
    ("A; exit;\nB", ["A"]),
    ("A\nENDING", ["A", "ENDING"]),
    ("CONNAME(+CONNAME+)", ["CONNAME(+CONNAME+)"]),
    ("X('+AUTOCL+_+QMNAME+') +\nY", ["X('+AUTOCL+_+QMNAME+') Y"]),
    ("DESCR('Größe – naïve')", ["DESCR('Größe – naïve')"]),
    ("A\x85B\u2028C", ["A\x85B\u2028C"]),
)
def test_commands(text, expected):
    assert texts(text) == expected


def test_lines_positions_and_a_continuation_at_the_end_are_known():
    sources, after = read_commands("* one\n\nA +\n* in between\n   B(\n  * last\nC;D\nEND\nE")
    assert [source.line for source in sources] == [3, 7, 7]
    assert (sources[0].before, sources[0].written) == (["* one", ""], [(3, "A +"), (5, "   B(")])
    assert (sources[1].before, after[-1]) == (["  * last"], "END")
    source = read_commands("ABC +\n\n  DEF +\n*x\nGHI")[0][0]
    assert source.text == "ABC DEF GHI"
    assert [source.line_at(source.text.index(word)) for word in ("ABC", "DEF", "GHI")] == [1, 3, 5]
    source = read_commands("A +\n* nothing more\n")[0][0]
    assert source.pending == "+"


@for_each(
    "text, expected",
    ("DEF QL ( a )", [("word", "DEF"), ("word", "QL"), ("(", "("), ("word", "a"), (")", ")")]),
    ("A,,B , C", [("word", "A"), ("word", "B"), ("word", "C")]),
    ('\'It\'\'s\' "a ""b"""', [("text", "It's"), ("text", 'a "b"')]),
    ("''", [("text", "")]),
    ("A 'b", [("word", "A"), ("unended", "'b")]),
    ("A\tB\u00a0C", [("word", "A"), ("word", "B\u00a0C")]),
)
def test_tokens(text, expected):
    assert [(token.sort, token.value) for token in read_tokens(text)] == expected


def test_columns_73_to_80_of_a_record_of_zos_are_ignored_and_longer_lines_are_no_records():
    text = f"{'DEFINE QLOCAL(A)':<71}+00010000\n{'MAXDEPTH(5)':<72}00020000\n{'* a comment':<72}00030000"
    (source,), after = read_commands(text, "zos")
    assert (source.text.split(), source.ignored, len(after)) == (["DEFINE", "QLOCAL(A)", "MAXDEPTH(5)"], [], 1)
    assert [source.text[-8:] for source in read_commands(text)[0]] == ["00010000", "00020000"]
    long = "DEFINE QLOCAL(A) DESCR('" + "x" * 54 + "')"
    assert len(long) == 80
    assert "would ignore" in read_commands(f"{long}\n", "zos")[0][0].ignored[0]
    assert read_commands(f"{long}\n", "zos")[0][0].text == long
    assert read_commands(long, "zos")[0][0].text == long  # typed at a console
    assert read_commands(f"{'DISPLAY QMGR':<72}00010000", "zos")[0][0].text == "DISPLAY QMGR"
    assert read_commands(f"{long} \n", "zos")[0][0].text == long
    assert read_commands(f"* Queue manager name: CSQ1\n{long}", "zos")[0][0].text == long  # dmpmqcfg writes no records
    stars, numbered = "*" * 79, f"{'DEFINE QLOCAL(A) +':<72}00010000\n{'   SHARE':<72}00020000"
    for dump in (f"{stars}\n* Queue manager name: CSQ1\n{numbered}", f"* Queue manager name: CSQ1\n{numbered}\n"):
        assert read_commands(dump, "zos")[0][0].text.split() == ["DEFINE", "QLOCAL(A)", "SHARE"]  # but an editor may


@for_each("end", ["\x1a", "\0", "\0\0\0", "\x1a\r\n", "\r\n\x1a\0 \n"])
def test_the_marks_that_end_a_file_are_no_command(end):
    assert texts("A\nB" + end) == ["A", "B"]
