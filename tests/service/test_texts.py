"""Sentences through gettext, in the source and in templates."""

from __future__ import annotations

from jinja2 import DictLoader, Environment

from service.texts import gettext, ngettext, translate
from tests.service.inside_words import inside_words
from tests.texts import extracted, sentences, written


def rendered(template: str, autoescape: bool, **values: object) -> str:
    environment = Environment(loader=DictLoader({"t": template}), autoescape=autoescape)
    translate(environment)
    return environment.get_template("t").render(values)


def test_a_sentence_is_itself_in_english() -> None:
    assert gettext("{name} is awaited.").format(name="Ada") == "Ada is awaited."


def test_one_thing_and_several_have_their_own_sentences() -> None:
    assert [ngettext("{n} mail", "{n} mails", n).format(n=n) for n in (0, 1, 2)] == ["0 mails", "1 mail", "2 mails"]


def test_templates_fill_in_values_by_name() -> None:
    assert rendered('{{ _("%(name)s is awaited.", name=name) }}', False, name="A & B") == "A & B is awaited."
    assert rendered("{% trans n=n %}one{% pluralize %}{{ n }} of them{% endtrans %}", False, n=2) == "2 of them"


def test_values_in_the_sentences_of_pages_are_escaped() -> None:
    assert rendered('{{ _("<b>%(name)s</b>", name=name) }}', True, name="<i>") == "<b>&lt;i&gt;</b>"


def test_a_percent_sign_in_a_value_is_only_a_sign() -> None:
    assert rendered('{{ _("%(name)s wins", name=name) }}', False, name="100%s %(x)s") == "100%s %(x)s wins"


def test_the_template_for_translators_has_every_sentence_of_the_source() -> None:
    assert sentences(written()) == sentences(extracted()), "make texts writes it anew"


def test_no_sentence_speaks_of_the_inside() -> None:
    said = [sentence for sentence in sentences(extracted()) if inside_words(str(sentence))]
    assert said == []
