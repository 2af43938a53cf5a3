"""Mails of programs, encrypted and damaged mails, and what people say besides moves."""

from __future__ import annotations

from tests.service.inbox.corpus.cases import (
    PLAYER,
    Build,
    Case,
    alternative,
    head,
    joined,
    mail,
    marked,
    nested,
    part,
    parts,
)
from tests.service.inbox.sent_mails import Sent

ON = "On Sat, 21 Nov 2026 at 10:30, Overland <overland@play.example> wrote:"


def says(*lines: str) -> Build:
    """A reply with these lines above the quotation."""

    def build(sent: Sent) -> bytes:
        return mail("\n".join((*lines, "", ON, "", marked(sent.text))))

    return build


def automatic(subject: str, text: str = "I am away until 4 December.", **headers: str) -> Build:
    def build(sent: Sent) -> bytes:
        return mail(f"{text}\n\n{ON}\n\n{marked(sent.text)}", Subject=subject, **headers)

    return build


def bounce(sent: Sent) -> bytes:
    status = (
        b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.players.example\n\n"
        b"Final-Recipient: rfc822; anna@players.example\nAction: failed\nStatus: 5.1.1\n"
    )
    return parts(
        "multipart/report; report-type=delivery-status",
        part("This is the mail system. Your mail could not be delivered.\n\n4\n", "text/plain"),
        status,
        part(f"From: overland@play.example\nSubject: x\n\n{sent.text}", "message/rfc822"),
        From="MAILER-DAEMON@mx.players.example (Mail Delivery System)",
        Subject="Undelivered Mail Returned to Sender",
        Auto_Submitted="auto-replied",
    )


def receipt(sent: Sent) -> bytes:
    return parts(
        "multipart/report; report-type=disposition-notification",
        part("Your message was read.\n\n4\n", "text/plain"),
        b"Content-Type: message/disposition-notification\n\nDisposition: manual-action; displayed\n",
    )


def on_a_list(sent: Sent) -> bytes:
    footer = "_" * 47 + "\nfriends mailing list -- friends@lists.example\n4 members"
    return mail(
        f"4\n\n{ON}\n\n{marked(sent.text)}\n\n{footer}",
        From='"Anna via friends" <friends@lists.example>',
        List_Id="friends <friends.lists.example>",
        Precedence="list",
    )


def clearsigned(sent: Sent) -> bytes:
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n4\n\n- -- \nAnna\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCgAdFiEE5\n=4abc\n-----END PGP SIGNATURE-----\n"
    )
    return mail(text)


def pgp_encrypted(sent: Sent) -> bytes:
    return parts(
        'multipart/encrypted; protocol="application/pgp-encrypted"',
        part("Version: 1\n", "application/pgp-encrypted"),
        part("-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n", "application/octet-stream"),
    )


def pgp_inline(sent: Sent) -> bytes:
    return mail("-----BEGIN PGP MESSAGE-----\n\nhQEMA4\n4\n=abcd\n-----END PGP MESSAGE-----\n")


def smime_encrypted(sent: Sent) -> bytes:
    return mail(b"0\x80\x06\x09", "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "base64")


def smime_signed(sent: Sent) -> bytes:
    return parts(
        'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256',
        part(f"4\n\n{ON}\n\n{marked(sent.text)}", "text/plain; charset=utf-8"),
        part(b"0\x80", "application/pkcs7-signature; name=smime.p7s", "base64"),
    )


def mail_in_mail(sent: Sent) -> bytes:
    inner = f"From: {PLAYER}\nSubject: x\n\n4\n"
    return parts("multipart/mixed", part("See the mail.\n", "text/plain"), part(inner, "message/rfc822"))


def deep(sent: Sent) -> bytes:
    content = part("4\n", "text/plain")
    for depth in range(40):
        content = nested("multipart/mixed", f"=_d{depth}", content)
    return head("").rstrip() + b"\n" + content


def damaged_base64(sent: Sent) -> bytes:
    return mail("4\n").replace(b"8bit\n\n4\n", b"base64\n\nNA\n")


def no_end(sent: Sent) -> bytes:
    whole = joined("=_b1", part(f"4\n\n{ON}\n\n{marked(sent.text)}", "text/plain; charset=utf-8"))
    return head('Content-Type: multipart/mixed; boundary="=_b1"') + whole.removesuffix(b"--=_b1--\n")


def carriage_returns(sent: Sent) -> bytes:
    return mail(f"4\n\n{ON}\n\n{marked(sent.text)}").replace(b"\n", b"\r\n")


def charset(name: str, codec: str, text: str = "4") -> Build:
    def build(sent: Sent) -> bytes:
        body = f"{text}\n\nLe sam. 21 nov. 2026, Overland <overland@play.example> a écrit :\n\n{marked(sent.legal[0])}"
        return mail(body.encode(codec, "replace"), f"text/plain; charset={name}", "base64")

    return build


def bare(text: str) -> Build:
    """A reply without a quotation."""
    return lambda sent: mail(text)


def two_moves(sent: Sent) -> bytes:
    return mail(f"{sent.legal[3]}\n{sent.legal[4]}\n\n{ON}\n\n{marked(sent.text)}")


def whole_turn(sent: Sent) -> bytes:
    return mail(f"{sent.legal[3]}\ndraw L\ndraw B\n\n{ON}\n\n{marked(sent.text)}")


def misspelt(sent: Sent) -> bytes:
    line = sent.legal[3].replace("farmer", "famer")
    return mail(f"{line}\n\n{ON}\n\n{marked(sent.text)}")


def html_stub(sent: Sent) -> bytes:
    return alternative("This e-mail is in HTML format. Please use a program that shows HTML.", "<p>4</p>")


CASES = (
    Case("automatic", "RFC 3834", "is not answered (automatic)", automatic("x", Auto_Submitted="auto-replied")),
    Case("automatic", "Automatic reply of Exchange", "is not answered (automatic)", automatic("Automatic reply: x")),
    Case("automatic", "in French", "is not answered (automatic)", automatic("Réponse automatique : x")),
    Case("automatic", "in German", "is not answered (automatic)", automatic("Abwesenheitsnotiz: x")),
    Case("automatic", "in Italian", "is not answered (automatic)", automatic("Risposta automatica: x")),
    Case("automatic", "Precedence: bulk", "is not answered (automatic)", automatic("x", Precedence="bulk")),
    Case("automatic", "X-Autoreply", "is not answered (automatic)", automatic("x", X_Autoreply="yes")),
    Case("automatic", "a bounce", "is not answered (automatic, report)", bounce),
    Case("automatic", "a receipt", "is not answered (automatic, report)", receipt),
    Case("automatic", "a mailing list", "is not answered (list)", on_a_list),
    Case("OpenPGP and S/MIME", "clearsigned", "plays 4 (signed)", clearsigned),
    Case("OpenPGP and S/MIME", "S/MIME, signed", "plays 4 (signed)", smime_signed),
    Case("OpenPGP and S/MIME", "encrypted, PGP/MIME", "asks for nothing (encrypted)", pgp_encrypted),
    Case("OpenPGP and S/MIME", "encrypted, in the text", "asks for nothing (encrypted)", pgp_inline),
    Case("OpenPGP and S/MIME", "encrypted, S/MIME", "asks for nothing (encrypted)", smime_encrypted),
    Case("damaged", "a mail in the mail", "asks for nothing (attachment)", mail_in_mail),
    Case("damaged", "forty parts within each other", "is too large to be read", deep),
    Case("damaged", "base64 without its end", "plays 4 (damaged)", damaged_base64),
    Case("damaged", "no last boundary", "plays 4 (damaged)", no_end),
    Case("damaged", "CR LF", "plays 4", carriage_returns),
    Case("damaged", "the text only says that it is HTML", "plays 4", html_stub),
    Case("charsets", "unknown", "plays 4 (charset)", charset("x-klingon", "utf-8")),
    Case("charsets", "no charset for text", "plays 4 (charset)", charset("base64", "utf-8")),
    Case("charsets", "ISO-8859-1, quotes of Windows", "plays 4", charset("iso-8859-1", "cp1252", "\u201c4\u201d")),
    Case("charsets", "UTF-8 that is none", "plays 4 (charset)", charset("utf-8", "latin-1")),
    Case("charsets", "Japanese, wide digits", "plays 4", charset("iso-2022-jp", "iso-2022-jp", "\uff14")),
    Case("charsets", "UTF-16", "plays 4", charset("utf-16", "utf-16")),
    Case("words", "help", "says help", says("help")),
    Case("words", "moves, in capitals", "says moves", says("MOVES")),
    Case("words", "a chat", "says: see you on Sunday at 7", says("say see you on Sunday at 7")),
    Case(
        "words",
        "a longer chat",
        "says: good game so far and see you",
        says("say: good game so far", "and see you"),
    ),
    Case("words", "resign", "says resign", says("resign")),
    Case("words", "resign beside a move", "offers 4, resign", says("4", "resign")),
    Case("words", "end, and a move below", "plays 4", says("4", "end of mail", "5")),
    Case("words", "preview", "says preview 4", says("preview 4")),
    Case("words", "settings", "says settings digest 18:00", says("settings digest 18:00")),
    Case("words", "yes", "says yes", says("Yes, please!")),
    Case("words", "sì", "says yes", says("Sì")),
    Case("words", "aide", "says help", says("Aide")),
    Case("words", "a new match", "says new oregon bela@example.org", bare("new oregon bela@example.org")),
    Case("moves", "several lines, one turn", "plays 4 and more", whole_turn),
    Case("moves", "two moves that cannot follow each other", "offers 4, 5", two_moves),
    Case("moves", "a slip", "offers 4", misspelt),
    Case("moves", "a number that is not listed", "cannot be read", says("4000")),
    Case("moves", "a number in a sentence", "offers 4", says("Number 4 it is, then")),
    Case("moves", "a number with words", "plays 4", says("Move no. 4, please.")),
    Case("moves", "a keycap", "plays 4", says("4\ufe0f\u20e3")),
    Case("moves", "an emoji", "plays 4", says("4 \U0001f44d")),
    Case("moves", "an emoticon", "plays 4", says("4 ;-)")),
    Case("moves", "chat", "asks for nothing", says("What a game! Let me think about it.")),
    Case("moves", "a move and chat", "plays 4", says("4", "", "Well played, Ben.", "See you on Sunday")),
    Case("moves", "a number below chat", "offers 4", says("Well played, Ben.", "", "4", "", "See you on Sunday")),
    Case("moves", "a telephone number below", "plays 4", says("4", "", "Anna Rossi", "Tel. +39 02 1234567")),
    Case("moves", "a street below", "plays 4", says("4", "", "Best,", "Anna", "7 High Street", "London")),
    Case("moves", "a move below the greeting at the end", "offers 5", says("Cheers, Anna", "5")),
)
