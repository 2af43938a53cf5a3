"""Gmail in a browser and on telephones, in several languages."""

from __future__ import annotations

from tests.service.inbox.corpus.cases import Build, Case, alternative, body_of, mail, marked, page, part, parts
from tests.service.inbox.sent_mails import Sent

ON = "On Sat, Nov 21, 2026 at 10:30\u202fAM Overland <overland@play.example> wrote:"
ON_BROKEN = "On Sat, Nov 21, 2026 at 10:30\u202fAM Overland <\noverland+r-mmailed-0-60-abcdefgh@play.example> wrote:"
LE = "Le sam. 21 nov. 2026 à 10:30, Overland <overland@play.example> a écrit :"
IL = "Il giorno sab 21 nov 2026 alle ore 10:30 Overland <overland@play.example>\nha scritto:"
AM = "Am Sa., 21. Nov. 2026 um 10:30 Uhr schrieb Overland <\noverland@play.example>:"
EL = "El sáb, 21 nov 2026 a las 10:30, Overland (<overland@play.example>)\nescribió:"
OP = "Op za 21 nov 2026 om 10:30 schreef Overland <overland@play.example>:"
EM = "Em sáb., 21 de nov. de 2026 às 10:30, Overland <overland@play.example>\nescreveu:"
OLD = "2026-11-21 10:30 GMT+01:00 Overland <overland@play.example>:"


def html(sent: Sent, typed: str, attribution: str = ON, below: str = "") -> str:
    """The HTML of Gmail: what was typed, the attribution, the quotation."""
    return (
        f'<div dir="ltr">{typed}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{page(attribution)}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);'
        f'padding-left:1ex">{body_of(sent.html)}</blockquote>{below}</div>'
    )


def reply(typed: str, attribution: str = ON) -> Build:
    """A reply above the quotation."""

    def build(sent: Sent) -> bytes:
        text = f"{typed}\n\n{attribution}\n\n{marked(sent.texts[1], 76)}\n"
        return alternative(text, html(sent, page(typed), attribution))

    return build


def below(sent: Sent) -> bytes:
    quoted = marked(sent.texts[1], 76)
    return alternative(f"{ON}\n\n{quoted}\n\n4\n", html(sent, "", below="<div>4</div>"))


def between(sent: Sent) -> bytes:
    lines = marked(sent.texts[1], 76).split("\n")
    middle = len(lines) // 2
    return mail("\n".join((ON, "", *lines[:middle], "", "4", "", *lines[middle:])))


def html_only_between(sent: Sent) -> bytes:
    quote = '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid">'
    content = (
        f'<div class="gmail_quote"><div class="gmail_attr">{page(ON)}</div>{quote}{body_of(sent.html)}</blockquote>'
        f"<div><br></div><div>4</div><div><br></div>{quote}{body_of(sent.html)}</blockquote></div>"
    )
    return mail(content, "text/html; charset=UTF-8")


def html_only(sent: Sent) -> bytes:
    return mail(html(sent, "4"), "text/html; charset=UTF-8", "quoted-printable")


def signature(sent: Sent) -> bytes:
    text = f"4\n\n-- \nAnna Rossi\nVia Roma 7, 20121 Milano\n\n{ON}\n\n{marked(sent.texts[1], 76)}\n"
    signed = '<div>4</div><div><br></div>-- <br><div class="gmail_signature">Anna Rossi<br>Via Roma 7, Milano</div>'
    return alternative(text, html(sent, signed))


def indented(sent: Sent) -> bytes:
    typed = (
        '<blockquote class="gmail_quote" style="margin:0 0 0 40px;border:none;padding:0px"><div>4</div></blockquote>'
    )
    return mail(html(sent, typed), "text/html; charset=UTF-8")


def inline_picture(sent: Sent) -> bytes:
    return parts(
        "multipart/related",
        part(f"4\n\n{ON}\n\n{marked(sent.text)}", "text/plain; charset=UTF-8"),
        part(b"\x89PNG", "image/png", "base64", extra="Content-ID: <board>\nContent-Disposition: inline\n"),
    )


def forwarded(sent: Sent) -> bytes:
    block = (
        "---------- Forwarded message ---------\nFrom: Overland <overland@play.example>\n"
        "Date: Sat, Nov 21, 2026 at 10:30\u202fAM\nSubject: [Oregon #m-mailed]\nTo: Anna <anna@players.example>\n"
    )
    return mail(f"Look at this!\n\n{block}\n\n{sent.texts[1]}")


def no_marks(sent: Sent) -> bytes:
    """The dots of Gmail on a telephone, copied: the text of the quotation without marks."""
    return mail(f"4\n\n{ON}\n\n{sent.texts[1]}")


CASES = (
    Case("Gmail", "a number on top", "plays 4", reply("4")),
    Case("Gmail", "an attribution over two lines", "plays 4", reply("4", ON_BROKEN)),
    Case("Gmail", "a number and thanks", "plays 4", reply("4\n\nThanks!\nAnna")),
    Case("Gmail", "in French", "plays 4", reply("4", LE)),
    Case("Gmail", "in Italian", "plays 4", reply("4", IL)),
    Case("Gmail", "in German", "plays 4", reply("4", AM)),
    Case("Gmail", "in Spanish", "plays 4", reply("4", EL)),
    Case("Gmail", "in Dutch", "plays 4", reply("4", OP)),
    Case("Gmail", "in Portuguese", "plays 4", reply("4", EM)),
    Case("Gmail", "an attribution of older versions", "plays 4", reply("4", OLD)),
    Case("Gmail", "below the quotation", "plays 4", below),
    Case("Gmail", "between two halves of the quotation", "plays 4", between),
    Case("Gmail", "HTML only", "plays 4", html_only),
    Case("Gmail", "HTML only, between two quotations", "plays 4", html_only_between),
    Case("Gmail", "a signature with an address", "plays 4", signature),
    Case("Gmail", "an indented paragraph", "plays 4", indented),
    Case("Gmail", "the board in the reply", "plays 4", inline_picture),
    Case("Gmail", "nothing typed", "asks for nothing", reply("")),
    Case("Gmail", "forwarded, with a remark", "asks for nothing", forwarded),
    Case("Gmail", "quoted without marks", "plays 4", no_marks),
    Case("Gmail", "smart quotes and a stop", "plays 4", reply("\u201c4\u201d.")),
    Case("Gmail", "right-to-left marks", "plays 4", reply("\u200f4\u200e")),
    Case("Gmail", "a sentence with a number", "offers 4", reply("I will play 4 tomorrow")),
    Case("Gmail", "two numbers to choose from", "offers 4, 5", reply("4 or 5?")),
    Case("Gmail", "a number and another line with one", "offers 4, 5", reply("4\n\nNo wait, 5!")),
)
