"""Mails to the service's own address: signing up, starting a match, asking what waits."""

from __future__ import annotations

from engine import registry
from service.context import Context
from service.errors import ServiceError
from service.inbox import answers, words_for_all
from service.inbox.answers import MailAnswer, author
from service.inbox.mail import Mail, Result, ignored
from service.inbox.quoted_mails import sent_texts
from service.inbox.quoted_text import typed_lines
from service.inbox.words import Word, read_word, together
from service.names import name_from
from service.players import accounts
from service.store import players
from service.texts import gettext as _

ABOUT = "service"


def act(context: Context, mail: Mail, is_join: bool = False) -> Result:
    """Acts on a mail to the service's own address; ``is_join``: to the one that signs up."""
    words, rest = _words_of(context, mail, is_join)
    sender, key = mail.sender, mail.key(ABOUT)
    joining = next((word for word in words if word.name == "join"), None)
    if not sender.is_proven:
        return ignored("unproven") if joining is None else _asked_to_confirm(context, mail, joining)
    if sender.player is None:
        return answers.write(context, mail, key, author(mail), _outsider(context, mail, words, joining))
    said = [
        words_for_all.answer(context, sender.player, word, key=mail.key(f"{ABOUT} {number}"))
        for number, word in enumerate(words)
    ]
    if not said:
        said = [words_for_all.help_of("empty") if rest is None else answers.unread(rest, ("help",))]
    return answers.write(context, mail, key, author(mail), answers.of_words(said, words))


def _words_of(context: Context, mail: Mail, is_join: bool) -> tuple[tuple[Word, ...], str | None]:
    """The words of a mail, or of its subject where it is empty, up to a line that is none, and that
    line.
    """
    known = sent_texts(context, author(mail).player_id, mail.sender.folded, None)
    lines = [line for line in typed_lines(mail.opened, known) if line.strip()]
    words: list[Word] = []
    rest: str | None = None
    for line in lines or [mail.opened.subject]:
        word = read_word(line)
        if word is None or word.name == "end":
            rest = line if word is None and lines else None
            break
        words.append(word)
    if is_join and all(word.name != "join" for word in words):
        words.insert(0, Word("join", ""))
    return together(words), rest


def _asked_to_confirm(context: Context, mail: Mail, word: Word) -> Result:
    """Signs up an unproven address: it gets the usual mail, with a code that confirms it."""
    sender = mail.sender
    try:
        accounts.sign_up(context, name_from(word.rest or mail.name, sender.address), sender.address)
    except ServiceError:
        return ignored("sign_up_refused")
    return answers.settle(context, mail.key(ABOUT), sender.folded, "sign_up")


def _outsider(context: Context, mail: Mail, words: tuple[Word, ...], joining: Word | None) -> MailAnswer:
    """Signs up a sender who asks for it; tells others how."""
    sender = mail.sender
    if joining is not None:
        name = name_from(joining.rest or mail.name, sender.address)
        player = accounts.sign_up_proven(context, name, sender.address)
        return MailAnswer(
            "joined",
            _("Welcome, {name}. Reply with one of these lines, and your first match begins:").format(name=player.name),
            lines=tuple(f"new {game} easy bot" for game in registry.games()),
            shows=("help",),
            effects=(lambda connection: players.allow_mail(connection, sender.folded),),
        )
    for word in words:
        if word.name == "rules":
            return words_for_all.rules(word)
    says = _("Write to this address with join on the first line to sign up, or with join and the name to play by.")
    return MailAnswer("outsider", _("You are not signed up here."), (says,), ("join", "rules"))
