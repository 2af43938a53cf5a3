"""Reads texts that lie beside the modules of a package, through the import system."""

from __future__ import annotations

import importlib.resources
import re


def read_text(package: str, file: str) -> str:
    """The text of a file of the package."""
    return importlib.resources.files(package).joinpath(file).read_text(encoding="utf-8")


def read_table(package: str, file: str) -> dict[str, str]:
    """A table of lines "name: text"; a line that begins with a space belongs to the one before."""
    lines = (line.partition(": ") for line in read_text(package, file).replace("\n ", "").splitlines())
    return {name: text for name, _colon, text in lines}


def read_icons(package: str) -> dict[str, str]:
    """What is drawn by each group of ``icons.svg``, by the id of the group."""
    found = re.findall(r'<g id="([\w-]+)">(.*?)\n</g>', read_text(package, "icons.svg"), re.DOTALL)
    return {name: drawing.replace("\n  ", "") for name, drawing in found}
