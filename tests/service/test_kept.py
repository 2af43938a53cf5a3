"""A cache that is bounded by the size of what it keeps."""

from __future__ import annotations

from service.kept import SizedCache


def test_what_was_not_used_for_the_longest_time_is_forgotten_first() -> None:
    cache = SizedCache[str](6)
    for key, content in (("a", "12"), ("b", "34"), ("c", "56")):
        cache.keep(key, content)
    assert cache.get("a") == "12"
    cache.keep("d", "78")
    assert [cache.get(key) for key in "abcd"] == ["12", None, "56", "78"]


def test_a_larger_content_takes_the_room_of_several() -> None:
    cache = SizedCache[bytes](4)
    cache.keep("a", b"12")
    cache.keep("b", b"34")
    cache.keep("c", b"1234")
    assert [cache.get(key) for key in "abc"] == [None, None, b"1234"]


def test_what_is_larger_than_the_cache_is_not_kept_and_displaces_nothing() -> None:
    cache = SizedCache[str](3)
    cache.keep("a", "123")
    cache.keep("b", "1234")
    assert (cache.get("a"), cache.get("b")) == ("123", None)


def test_a_content_that_is_kept_again_counts_once() -> None:
    cache = SizedCache[str](4)
    cache.keep("a", "12")
    cache.keep("a", "21")
    cache.keep("b", "34")
    assert (cache.get("a"), cache.get("b")) == ("21", "34")
