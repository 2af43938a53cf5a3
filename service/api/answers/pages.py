"""What all pages of a list have in common."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from engine.documents import About

NextPage: TypeAlias = Annotated[str | None, About("The address of the next page; `null` on the last.")]
