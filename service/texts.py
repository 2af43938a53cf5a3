"""The sentences that people read, by gettext: in English for now.

``gettext`` and ``ngettext`` are called with the English sentence itself, so that ``make texts``
finds it in the source and writes it to the template for translators, ``service/locale/``. Values
are filled in afterwards: ``gettext("{name} is awaited.").format(name=name)``. Templates say
``{{ _("%(name)s is awaited.", name=name) }}``, after ``translate(environment)``.
"""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

from jinja2 import Environment

_ENGLISH: Final = NullTranslations()


def gettext(message: str) -> str:
    """The sentence in the reader's language."""
    return _ENGLISH.gettext(message)


def ngettext(one: str, many: str, n: int) -> str:
    """The sentence of ``n`` things in the reader's language: ``one`` or ``many``."""
    return _ENGLISH.ngettext(one, many, n)


def translate(environment: Environment) -> None:
    """Returns the templates of ``environment`` the functions ``_`` and ``ngettext``, and the tag
    ``trans``. Values in their sentences are escaped where the environment escapes.
    """
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
