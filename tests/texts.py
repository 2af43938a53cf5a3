"""The template for translators, ``service/locale/overland.pot``, with every sentence of the source
that goes through gettext.

``python -m tests.texts`` writes it anew (``make texts``). It is sorted by sentence and names the
files without line numbers, so that it changes only where sentences do.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parents[1]
TEMPLATE: Final = ROOT / "service" / "locale" / "overland.pot"
FOLDERS: Final = ("engine", "service", "workers")
METHODS: Final = [("**.py", "python"), ("**/templates/**.html", "jinja2"), ("**/templates/**.txt", "jinja2")]
KEYWORDS: Final[dict[str, Any]] = {"_": None, "gettext": None, "ngettext": (1, 2)}
OPTIONS: Final = {"jinja2": {"trim_blocks": "true", "lstrip_blocks": "true", "newstyle_gettext": "true"}}


def extracted() -> Catalog:
    """Every sentence of the source, with the files that have it."""
    found: dict[str | tuple[str, ...], set[str]] = {}
    for file, message in _found():
        found.setdefault(message, set()).add(file)
    catalog = Catalog(project="Overland", fuzzy=False)
    for message in sorted(found, key=str):
        catalog.add(message, locations=[(file, 0) for file in sorted(found[message])])
    return catalog


def _found() -> Iterator[tuple[str, str | tuple[str, ...]]]:
    options = {pattern: OPTIONS.get(method, {}) for pattern, method in METHODS}
    for folder in FOLDERS:
        for file, _, message, _, _ in extract_from_dir(ROOT / folder, METHODS, options, KEYWORDS):
            yield f"{folder}/{file}", tuple(message) if isinstance(message, list | tuple) else message


def written() -> Catalog:
    """The template as it is in the source tree."""
    return read_po(BytesIO(TEMPLATE.read_bytes()))


def sentences(catalog: Catalog) -> list[str]:
    """The sentences of a catalogue, sorted; of those with a plural, both forms."""
    return sorted(str(message.id) for message in catalog if message.id)


if __name__ == "__main__":
    out = BytesIO()
    write_po(out, extracted(), omit_header=True, include_lineno=False, width=0)
    TEMPLATE.parent.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n' + out.getvalue())
