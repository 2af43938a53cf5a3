"""Mails to the service's own address: signing up, starting a match, asking what waits."""

from __future__ import annotations

from engine import registry
from service.context import Context
from service.errors import ServiceError
from service.inbox import answers, words_for_all
from service.inbox.answers import Answer, To
from service.inbox.conversations import sent_texts
from service.inbox.mail import Mail, Result, ignored
from service.inbox.typed import typed_lines
from service.inbox.words import Word, read_word
from service.players import accounts
from service.players.names import name_from
from service.store import players
from service.texts import gettext as _

ABOUT = "service"


def act(context: Context, mail: Mail, is_join: bool = False) -> Result:
    """Acts on a mail to the service's own address; ``is_join``: to the one that signs up."""
    words, rest = words_of(context, mail, is_join)
    sender, key = mail.sender, mail.key(ABOUT)
    joining = next((word for word in words if word.name == "join"), None)
    if not sender.is_proven:
        if joining is None:
            return ignored("unproven")
        return _asked_to_confirm(context, mail, joining)
    if sender.player is None:
        answer = _outsider(context, mail, words, joining)
        return answers.write(context, mail, key, To(sender.address, sender.folded), answer)
    said = [
        words_for_all.answer(context, sender.player, word, key=mail.key(f"{ABOUT} {number}"))
        for number, word in enumerate(words)
    ]
    to = To(sender.address, sender.folded, sender.player.id)
    if not said:
        said = [words_for_all.help_of("empty") if rest is None else answers.unread(rest, ("help",))]
    return answers.write(context, mail, key, to, answers.of_words(said, words))


def words_of(context: Context, mail: Mail, is_join: bool) -> tuple[tuple[Word, ...], str | None]:
    """The words of a mail, up to the first line that is none, and that line; the word of its
    subject where it has no text.
    """
    player = mail.sender.player
    known = sent_texts(context, None if player is None else player.id, mail.sender.folded, None)
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
    return tuple(words), rest


def _asked_to_confirm(context: Context, mail: Mail, word: Word) -> Result:
    """Signs up an address that nobody proved to have written from: it gets the usual mail, with a
    code that confirms it.
    """
    sender = mail.sender
    try:
        accounts.sign_up(context, _name(mail, word), sender.address)
    except ServiceError:
        return ignored("sign_up_refused")
    return answers.settle(context, mail.key(ABOUT), sender.folded, "sign_up")


def _outsider(context: Context, mail: Mail, words: tuple[Word, ...], joining: Word | None) -> Answer:
    """Signs up whoever asks for it; tells others how."""
    if joining is not None:
        player = accounts.sign_up_proven(context, _name(mail, joining), mail.sender.address)
        return Answer(
            "joined",
            _("Welcome, {name}. Reply with one of these lines, and your first match begins:").format(name=player.name),
            lines=tuple(f"new {game} easy bot" for game in registry.games()),
            shows=("help",),
            effects=(lambda connection: players.allow_mail(connection, mail.sender.folded),),
        )
    for word in words:
        if word.name == "rules":
            return words_for_all.rules(word)
    says = _("Write to this address with join on the first line to sign up, or with join and the name to play by.")
    return Answer("outsider", _("You are not signed up here."), (says,), ("join", "rules"))


def _name(mail: Mail, word: Word) -> str:
    return name_from(word.rest or mail.name, mail.sender.address)
