"""Values with their provenance, and checks that the component sets of all games share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Generic, TypeVar

from engine.documents import About, Problems, escape

T = TypeVar("T")


Provenance = StrEnum("Provenance", "RULEBOOK REPORTED RECONSTRUCTED")
"""The source of a value: a rulebook, several independent reviewers, or our own design."""


@dataclass(frozen=True, slots=True)
class Vouched(Generic[T]):
    """A value with its provenance; each kind is an alias with ``About(name=...)`` for a schema."""

    value: Annotated[T, About("The value.")]
    provenance: Annotated[Provenance, About("Who vouches for it.")]
    note: Annotated[str, About("Where the value comes from, in words.")] = ""


def by_name(pointer: str, values: Mapping[Any, Any], names: tuple[str, ...], advice: str = "") -> Problems:
    """The missing and unknown names in ``values``, which must have exactly ``names``; ``pointer``
    is the JSON pointer of ``values``, ``advice`` is appended to the sentence about a missing name.
    """
    known = ", ".join(names)
    missing = [(pointer, f"{name} is missing{advice}.") for name in names if name not in values]
    return missing + [
        (f"{pointer}/{escape(str(name))}", f"There is no {str(name)!r} here; known: {known}.")
        for name in values
        if name not in names
    ]
