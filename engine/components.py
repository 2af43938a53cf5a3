"""What the component sets of all games share: every value says who vouches for it, and a list by
name says what is missing or strange in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from engine.documents import About, escape

T = TypeVar("T")


class Provenance(StrEnum):
    """Who vouches for a value: a rulebook, several independent reviewers, or nobody but us."""

    RULEBOOK = "rulebook"
    REPORTED = "reported"
    RECONSTRUCTED = "reconstructed"


@dataclass(frozen=True, slots=True)
class Vouched(Generic[T]):
    """A value with its provenance.

    Each kind of value is an alias that names its schema with ``About(name=...)``.
    """

    value: T
    provenance: Provenance
    note: Annotated[str, About("Where the value comes from, in words.")] = ""


Problems: TypeAlias = list[tuple[str, str]]
"""JSON pointers, each with a sentence."""


def by_name(pointer: str, values: Mapping[Any, Any], names: tuple[str, ...], advice: str = "") -> Problems:
    """What is wrong with values that should have exactly these names; ``advice`` is added where one
    is missing.
    """
    known = ", ".join(names)
    missing = [(pointer, f"{name} is missing{advice}.") for name in names if name not in values]
    return missing + [
        (f"{pointer}/{escape(str(name))}", f"There is no {str(name)!r} here; there are {known}.")
        for name in values
        if name not in names
    ]
