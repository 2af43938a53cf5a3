"""What is said of bodies that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from service.api.parsing import read_json
from service.api.problems import ProblemDetails


def refusal(body: bytes) -> ProblemDetails:
    with pytest.raises(ProblemDetails) as caught:
        read_json(body)
    return caught.value


def test_json_is_read() -> None:
    assert read_json('{"name": "Zoë 🙂", "list": [1, -2.5, null, true]}'.encode()) == {
        "name": "Zoë 🙂",
        "list": [1, -2.5, None, True],
    }


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "The body is empty"),
        (b"  \n", "The body is empty"),
        (b'{"a": ', "at line 1, column 7"),
        (b"{'a': 1}", "at line 1, column 2"),
        (b'{"a": "x\ny"}', "Invalid control character at line 1, column 9"),
        (b'{"a": "x', "Unterminated string starting at line 1, column 7"),
        (b'{"a": NaN}', "NaN is not a JSON number"),
        (b"[-Infinity]", "-Infinity is not a JSON number"),
        (b"\xff\xfe{}", "not UTF-8: byte 0"),
        (b"[" * 20_000, "nested too deeply"),
        (b'{"a": 1, "b": 2, "b": 3}', "an object in it has the name 'b' twice"),
    ],
)
def test_what_is_not_json_is_refused_with_the_place(body: bytes, said: str) -> None:
    problem = refusal(body)
    assert problem.kind == "malformed_json"
    assert said in problem.detail


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (b'{"name": "a\\u0000b"}', "/name"),
        (b'{"list": ["fine", "\\ud800"]}', "/list/1"),
        (b'{"number": 9007199254740993}', "/number"),
        (b'{"a/b": {"c~d": -99999999999999999999}}', "/a~1b/c~0d"),
        (b'{"number": ' + b"9" * 5_000 + b"}", "/number"),
        (b'{"list": [-' + b"9" * 20 + b"]}", "/list/0"),
        (b'{"list": [1e999, 1]}', "/list/0"),
        (b'{"number": -1e300}', "/number"),
        (b'{"\\udfff": 1}', ""),
    ],
)
def test_what_no_database_holds_is_refused_with_its_pointer(body: bytes, pointer: str) -> None:
    problem = refusal(body)
    assert problem.kind == "invalid"
    assert [fault["pointer"] for fault in problem.members["errors"]] == [pointer]


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read_json(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_nesting_has_a_limit_that_is_said() -> None:
    problem = refusal(b"[" * 30 + b"]" * 30)
    assert problem.kind == "invalid"
    assert "16 levels" in problem.detail


def test_pairs_of_surrogates_are_fine() -> None:
    read: Any = read_json(b'"\\ud83d\\ude42"')
    assert read == "🙂"
