"""YAML 1.2 without surprises: words stay words, and what could hide something is refused."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from packaged_rules import EPIC, EVIL, VAST

from rulespal_chat.corpus.places import packaged_corpus
from rulespal_chat.rules.plain_yaml import PlainYamlError, read_yaml

MOST_LEVELS = 30


def refusal(text: str) -> tuple[int, str]:
    with pytest.raises(PlainYamlError) as refused:
        read_yaml(text)
    assert str(refused.value) == f"line {refused.value.line}: {refused.value.problem}"
    return refused.value.line, refused.value.problem


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("5", 5),
        ("-5", -5),
        ("+5", 5),
        ("0", 0),
        ("-0", 0),
        ("007", 7),
        ("2.5", 2.5),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("9" * 18, 999_999_999_999_999_999),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
    ],
)
def test_numbers_truth_values_and_nothing(written: str, expected: float | bool | None) -> None:
    got = read_yaml(f"a: {written}").data
    assert got == {"a": expected}
    assert type(got["a"]) is type(expected)


@pytest.mark.parametrize(
    "word",
    ["no", "No", "NO", "yes", "Yes", "on", "On", "off", "OFF", "y", "n", "True", "TRUE", "False",
     "Null", "NULL", "1_000", "12:30", "190:20:30", "2024-01-31", "0x1F", "0b101", "0o17", ".inf",
     ".nan", "..2", "3..4", "8..", "-2..", "-", "1-2", "1 2", "=", "v1", "5p", "²", "٣"],
)  # fmt: skip
def test_what_other_yaml_takes_for_something_else_stays_a_word(word: str) -> None:
    written = word if word != "-" else "'-'"
    assert read_yaml(f"a: {written}").data == {"a": word}
    assert read_yaml(f"[{written}]").data == [word]


@pytest.mark.parametrize("word", ["no", "yes", "on", "off", "y", "n"])
def test_such_words_are_keys_as_well(word: str) -> None:
    assert read_yaml(f"{word}: 1").data == {word: 1}


@pytest.mark.parametrize("written", ["5", "true", "null", "~", "", "2.5", "9" * 5000])
def test_what_is_quoted_or_in_a_block_is_a_string(written: str) -> None:
    assert read_yaml(f"a: '{written}'").data == {"a": written}
    assert read_yaml(f'a: "{written}"').data == {"a": written}
    assert read_yaml(f"a: |-\n  {written}\n").data == {"a": written}
    assert read_yaml(f"a: >-\n  {written}\n").data == {"a": written}


def test_lists_and_mappings_in_both_styles() -> None:
    text = "a:\n  - 1\n  - {b: two, c: [3, [4]]}\n  -\n    d: e\n    f:\ng: []\nh: {}\n"
    assert read_yaml(text).data == {
        "a": [1, {"b": "two", "c": [3, [4]]}, {"d": "e", "f": None}],
        "g": [],
        "h": {},
    }


def test_a_long_string_is_folded_and_escapes_are_read() -> None:
    text = 'a: one\n  two\nb: >-\n  three\n  four\nc: "\\u00e9 \\t \\"x\\""\n'
    assert read_yaml(text).data == {"a": "one two", "b": "three four", "c": 'é \t "x"'}


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---", "--- # nothing\n"])
def test_an_empty_file_has_no_data(text: str) -> None:
    document = read_yaml(text)
    assert document.data is None
    assert document.line(("rules", 0)) in {1, 2}


def test_a_document_may_have_a_start_a_directive_and_an_end() -> None:
    assert read_yaml("%YAML 1.2\n---\na: no\n...\n").data == {"a": "no"}


def test_one_document_of_yaml_1_1_is_read_as_yaml_1_2() -> None:
    assert read_yaml("%YAML 1.1\n---\na: no\n").data == {"a": "no"}


TEXT = """\
# a comment
game: toads

rules:
  - id: one
    steps:
      - {name: a,
         value: 3}
  - id: two
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 2),
        (("game",), 2),
        (("rules",), 5),
        (("rules", 0), 5),
        (("rules", 0, "id"), 5),
        (("rules", 0, "steps", 0), 7),
        (("rules", 0, "steps", 0, "value"), 8),
        (("rules", 1, "id"), 9),
    ],
)
def test_each_value_knows_its_line(path: tuple[str | int, ...], line: int) -> None:
    assert read_yaml(TEXT).line(path) == line


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("rules", 1, "title"), 9),
        (("rules", 1, "steps", 4, "value"), 9),
        (("rules", 7), 5),
        (("inputs", "players"), 2),
    ],
)
def test_what_is_not_there_has_the_line_of_what_is_around_it(
    path: tuple[str | int, ...], line: int
) -> None:
    assert read_yaml(TEXT).line(path) == line


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "the key 'a' for a second time"),
        ("a:\n  b: 1\n  'b': 2\n", 3, "the key 'b' for a second time"),
        ("{a: 1, b: 2, a: 3}", 1, "the key 'a' for a second time"),
        ("- x\n- a: 1\n  a: 1\n", 3, "the key 'a' for a second time"),
        ("a: 1\n2: b\n", 2, "the key 2 is no word"),
        ("true: 1", 1, "the key True is no word"),
        ("~: 1", 1, "the key None is no word"),
        ("1.5: 1", 1, "the key 1.5 is no word"),
        ("? [a, b]\n: 1\n", 1, "the key [] is no word"),
        ("? {a: b}\n: 1\n", 1, "the key {} is no word"),
        ("a: 1\nb: &same [2]\nc: *same\n", 2, "an anchor or alias"),
        ("a: &same 1", 1, "an anchor or alias"),
        ("&all\na: 1", 1, "an anchor or alias"),
        ("\nb: *same", 2, "an anchor or alias"),
        ("a: 1\n<<: *same\n", 2, "an anchor or alias"),
        ("a: !!str 5", 1, "the tag 'tag:yaml.org,2002:str'"),
        ("a: !local 5", 1, "the tag '!local'"),
        ("a: ! 5", 1, "the tag '!'"),
        ("\na: !!binary aGk=\n", 2, "the tag 'tag:yaml.org,2002:binary'"),
        (
            "a: !!python/object/apply:os.system [true]",
            1,
            "the tag 'tag:yaml.org,2002:python/object/apply:os.system'",
        ),
        ("a: 1\n---\nb: 2\n", 2, "a second document"),
        ("a: 1\nb: 1234567890123456789\n", 2, "a number of 19 characters"),
        (f"a: {'9' * 5000}", 1, "a number of 5000 characters"),
        (f"a: 0.{'3' * 17}", 1, "a number of 19 characters"),
        (f"{'7' * 30}: a", 1, "a number of 30 characters"),
    ],
)
def test_what_is_refused_is_named_with_its_line(text: str, line: int, problem: str) -> None:
    assert refusal(text) == (line, problem)


def test_the_same_key_may_stand_in_different_mappings() -> None:
    assert read_yaml("- {a: 1}\n- {a: 2, b: {a: 3}}").data == [{"a": 1}, {"a": 2, "b": {"a": 3}}]


def test_a_merge_key_is_a_key_like_any_other() -> None:
    assert read_yaml("<<: {a: 1}\nb: 2\n").data == {"<<": {"a": 1}, "b": 2}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [1, 2\nc: 3\n", 3),
        ("a: b: c", 1),
        ("a: 1\n\tb: 2\n", 2),
        ("a: 1\n b: 2\n", 2),
        ("a: 'open\n", 2),
        ("a: @b", 1),
        ("a: 1\nb: `c`\n", 2),
        ("}", 1),
        ('a: "\\q"', 1),
        ('a: "\\ud800"', 1),
        ("%FOO\n---\na: 1", 1),
        ("%YAML 9.9\n---\na: 1", 1),
    ],
)
def test_what_is_no_yaml_is_refused_with_its_line(text: str, line: int) -> None:
    assert refusal(text)[0] == line


@pytest.mark.parametrize(
    ("character", "code"),
    [
        ("\x00", "U+0000"),
        ("\x07", "U+0007"),
        ("\x1b", "U+001B"),
        ("\x7f", "U+007F"),
        ("\x9b", "U+009B"),
        ("\ud800", "U+D800"),
        ("\ufffe", "U+FFFE"),
        ("\u202e", "U+202E"),
        ("\u200b", "U+200B"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_control_and_invisible_characters_are_refused_with_their_line(
    character: str, code: str, end: str
) -> None:
    text = end.join(["a: 1", "b: 2", f"c: x{character}y", "d: 4"])
    assert refusal(text) == (3, f"the character {code}")


@pytest.mark.parametrize(
    ("escape", "code"),
    [
        ("\\0", "U+0000"),
        ("\\e", "U+001B"),
        ("\\r", "U+000D"),
        ("\\x9b", "U+009B"),
        ("\\u202e", "U+202E"),
        ("\\u2066", "U+2066"),
        ("\\ufeff", "U+FEFF"),
        ("\\U000e0041", "U+E0041"),
    ],
)
def test_no_escape_brings_them_in(escape: str, code: str) -> None:
    assert refusal(f'a: 1\nb: "[31m{escape}x"') == (2, f"the character {code}")
    assert refusal(f'a: 1\n"b{escape}": 2') == (2, f"the character {code}")


@pytest.mark.parametrize("character", ["\t", "\n", "é", "–", "\u200d", "\u00a0", "🐸"])
def test_tabs_line_ends_and_joiners_are_no_hidden_characters(character: str) -> None:
    data = {"a": f"x{character}y"}
    assert read_yaml(json.dumps(data, ensure_ascii=False)).data == data


@pytest.mark.parametrize("game", [VAST, EVIL, EPIC])
def test_the_packaged_rule_files_are_the_same_to_both_parsers(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (packaged_corpus() / game / "rules.yaml").read_text(encoding="utf-8")
    with_libyaml = read_yaml(text)
    monkeypatch.delattr("yaml.CSafeLoader", raising=False)
    assert read_yaml(text) == with_libyaml


def test_depth_has_a_limit_in_both_styles() -> None:
    deepest = "[" * MOST_LEVELS + "]" * MOST_LEVELS
    assert json.dumps(read_yaml(deepest).data) == deepest
    too_deep = (1, f"more than {MOST_LEVELS} levels")
    assert refusal("[" * (MOST_LEVELS + 1) + "]" * (MOST_LEVELS + 1)) == too_deep
    assert refusal("- " * (MOST_LEVELS + 1) + "a") == too_deep
    block = "".join(f"{' ' * level}a:\n" for level in range(MOST_LEVELS))
    assert read_yaml(block).data
    assert refusal(f"{block}{' ' * MOST_LEVELS}a: 1") == (MOST_LEVELS + 1, too_deep[1])


@pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "{a: "])
def test_a_tower_of_openings_ends_in_a_refusal(opening: str) -> None:
    assert refusal(opening * 20_000)[0] == 1


def test_a_bomb_of_aliases_is_refused_at_its_first_anchor() -> None:
    names = "abcdefghi"
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for one, next_one in pairwise(names):
        bomb += f"{next_one}: &{next_one} [{', '.join([f'*{one}'] * 9)}]\n"
    assert refusal(bomb) == (1, "an anchor or alias")


# Properties

CHARACTERS = st.characters(min_codepoint=32, max_codepoint=126) | st.sampled_from("éß€日🐸")
WORDS = st.text(CHARACTERS, max_size=20)
NUMBERS = st.integers(-(10**16), 10**16) | st.integers(-4000, 4000).map(lambda n: n / 4)
DATA = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=15,
)


@given(DATA, st.sampled_from([None, 1, 2]))
def test_json_is_read_as_the_data_that_it_is(data: object, indent: int | None) -> None:
    assert read_yaml(json.dumps(data, ensure_ascii=False, indent=indent)).data == data


@given(st.lists(st.lists(st.sampled_from(["", "# comment"]), max_size=3), min_size=1, max_size=8))
def test_lines_are_counted_past_comments_and_empty_lines(gaps: list[list[str]]) -> None:
    lines: list[str] = []
    expected = []
    for number, gap in enumerate(gaps):
        lines += [*gap, f"key{number}: value"]
        expected.append(len(lines))
    document = read_yaml("\n".join(lines))
    assert [document.line((f"key{number}",)) for number in range(len(gaps))] == expected


PIECES = st.sampled_from(
    ["a", "b", "1", "'", '"', ":", ": ", "- ", "? ", "\n", "\n  ", " ", "[", "]", "{", "}", ",",
     "#", "&a", "*a", "!", "!!str", "|", ">", "|+2", "---", "...", "%YAML 1.2", "\t", "<<", "~",
     "\\", "\\x00", "\x00", "\x1b", "\u2028", "\ufeff", "@", "`", "%"]
)  # fmt: skip


@given(st.text() | st.lists(PIECES, max_size=30).map("".join))
@example("\x85")
@example("\ufeff\ufeff")
@example("? ")
@example("?\n  - a\n: b")
@example("!<tag:a> b")
@example("a: |\n\ta")
@example("--- |\n%")
def test_any_text_is_plain_yaml_or_refused_with_a_line_of_it(text: str) -> None:
    try:
        document = read_yaml(text)
    except PlainYamlError as refused:
        # the end of a text that breaks off is the line after the last
        assert 1 <= refused.line <= len(text.splitlines()) + 1
        assert refused.problem
    else:
        assert all(1 <= line <= len(text.splitlines()) + 1 for line in document.lines.values())
