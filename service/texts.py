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
gettext: Final = _ENGLISH.gettext
ngettext: Final = _ENGLISH.ngettext
"""Takes the sentence of one thing and of many, and their number."""


def translate(environment: Environment) -> None:
    """Gives the templates of ``environment`` the functions ``_`` and ``ngettext``, and the tag
    ``trans``. Values in their sentences are escaped where the environment escapes.
    """
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
