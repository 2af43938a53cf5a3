"""Yahoo, Thunderbird, K-9, Samsung, Proton, Zoho, terminals, and providers of several countries."""

from __future__ import annotations

from tests.service.inbox.corpus.cases import Build, Case, alternative, body_of, mail, marked, wrapped
from tests.service.inbox.sent_mails import Sent


def above(typed: str, introduction: str, *, marks: bool = True, footer: str = "", width: int | None = None) -> Build:
    """A text with an introduction and the quotation below."""

    def build(sent: Sent) -> bytes:
        quoted = marked(sent.texts[1], width) if marks else sent.texts[1]
        return mail(f"{typed}\n{footer}\n{introduction}\n\n{quoted}\n")

    return build


def yahoo_indented(sent: Sent) -> bytes:
    quoted = "\n".join(f"  {line}" for line in sent.texts[1].split("\n"))
    introduction = "  On Saturday, November 21, 2026 at 10:30:00 AM GMT+1, Overland <overland@play.example> wrote:"
    return mail(f" 4\n{introduction}  \n \n{quoted}\n")


def yahoo_html(sent: Sent) -> bytes:
    content = (
        '<html><body><div class="ydp1yahoo-style-wrap" style="font-size:16px;"><div>4</div></div>'
        '<div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Saturday, November 21, 2026, Overland wrote:</div>'
        f"<div>{body_of(sent.html)}</div></div></body></html>"
    )
    return mail(content, "text/html; charset=UTF-8", "quoted-printable")


def thunderbird(sent: Sent) -> bytes:
    introduction = "On 21/11/2026 10:30, Overland wrote:"
    return mail(f"4\n\n{introduction}\n{marked(sent.text)}\n", "text/plain; charset=UTF-8; format=flowed")


def thunderbird_below(sent: Sent) -> bytes:
    introduction = "On 21/11/2026 10:30, Overland wrote:"
    return mail(f"{introduction}\n{marked(sent.text)}\n\n4\n\n-- \nAnna\n", "text/plain; charset=UTF-8; format=flowed")


def thunderbird_html(sent: Sent) -> bytes:
    content = (
        f'<html><body><p>4</p><div class="moz-cite-prefix">On 21/11/2026 10:30, Overland wrote:<br></div>'
        f'<blockquote type="cite" cite="mid:n1@play.example">{body_of(sent.html)}</blockquote>'
        '<div class="moz-signature">-- <br>Anna, Via Roma 7</div></body></html>'
    )
    return mail(content, "text/html; charset=UTF-8")


def broken_marks(sent: Sent) -> bytes:
    """A program that breaks quoted lines at 60 columns and marks only their beginnings."""
    lines = []
    for line in sent.texts[1].split("\n"):
        first, *rest = wrapped(line, 60).split("\n")
        lines += [f"> {first}", *rest]
    return mail("4\n\nOn 21.11.2026 10:30, Overland wrote:\n" + "\n".join(lines))


def proton(sent: Sent) -> bytes:
    text = (
        "4\n\nSent with [Proton Mail](https://proton.me/) secure email.\n\n"
        "On Saturday, November 21st, 2026 at 10:30, Overland <overland@play.example> wrote:\n\n"
    )
    content = (
        '<div style="font-family: Arial">4</div><div class="protonmail_signature_block">Sent with Proton Mail</div>'
        f'<div class="protonmail_quote">On Saturday, Overland wrote:<br><blockquote class="protonmail_quote" '
        f'type="cite">{body_of(sent.html)}</blockquote></div>'
    )
    return alternative(text + marked(sent.texts[1]), content)


def proton_old(sent: Sent) -> bytes:
    dashes = "\u2010" * 7
    return mail(f"4\n\n{dashes} Original Message {dashes}\nOn Saturday, Overland <o@x.example> wrote:\n\n{sent.text}")


def zoho(sent: Sent) -> bytes:
    content = (
        '<div>4</div><div class="zmail_extra"><div>---- On Sat, 21 Nov 2026 10:30:00 +0100 '
        f"<b>Overland &lt;overland@play.example&gt;</b> wrote ----</div><blockquote>{body_of(sent.html)}"
        "</blockquote></div>"
    )
    wrote = "---- On Sat, 21 Nov 2026 10:30:00 +0100 Overland <overland@play.example> wrote ----"
    return alternative(f"4\n\n\n{wrote}\n\n{sent.texts[1]}", content)


def mutt(sent: Sent) -> bytes:
    wrote = "On Sat, Nov 21, 2026 at 10:30:00AM +0100, Overland wrote:"
    return mail(f"{wrote}\n{marked(sent.text)}\n\n{sent.legal[3]}\n\n-- \nAnna 5\n", "text/plain; charset=us-ascii")


def interleaved(sent: Sent) -> bytes:
    lines = marked(sent.text).split("\n")
    at = next(index for index in range(len(lines) // 2, len(lines)) if lines[index] == ">")
    return mail("\n".join(("On Sat, 21 Nov 2026, Overland wrote:", "", *lines[: at + 1], "4", *lines[at + 1 :])))


def alpine(sent: Sent) -> bytes:
    return mail(f"On Sat, 21 Nov 2026, Overland wrote:\n\n{marked(sent.text)}\n>\n\n4\n")


def initials(sent: Sent) -> bytes:
    return mail(f"4\n\nOverland wrote on 21.11.2026 10:30:\n\n{marked(sent.text, mark='OV> ')}")


def orange(sent: Sent) -> bytes:
    introduction = (
        '> Message du 21/11/26 10:30\n> De : "Overland" <overland@play.example>\n> A : anna@players.example\n'
        "> Copie à : \n> Objet : Re: [Oregon #m-mailed] On the trail\n>"
    )
    return mail(f"4\n\n\n{introduction}\n{marked(sent.texts[1])}", "text/plain; charset=UTF-8", "quoted-printable")


def zimbra(sent: Sent) -> bytes:
    block = (
        '----- Mail original -----\nDe: "Overland" <overland@play.example>\nÀ: "Anna" <anna@players.example>\n'
        "Envoyé: Samedi 21 Novembre 2026 10:30:00\nObjet: Re: [Oregon #m-mailed] On the trail\n"
    )
    return mail(f"4\n\n{block}\n{sent.texts[1]}", "text/plain; charset=iso-8859-1", "quoted-printable", "utf-8")


def libero(sent: Sent) -> bytes:
    block = (
        "----Messaggio originale----\nDa: overland@play.example\nData: 21-nov-2026 10.30\n"
        "A: <anna@players.example>\nOgg: Re: [Oregon #m-mailed] On the trail\n"
    )
    return mail(f"4\n\n{block}\n{sent.texts[1]}")


def libero_html(sent: Sent) -> bytes:
    content = (
        f'<p>4</p><div class="mail_quote_header">Il 21/11/2026 10:30 CET Overland &lt;overland@play.example&gt; '
        f'ha scritto:</div><blockquote type="cite">{body_of(sent.html)}</blockquote>'
    )
    return mail(content, "text/html; charset=UTF-8")


def gmx(sent: Sent) -> bytes:
    content = (
        '<html><body><div style="font-family: Verdana"><div>4</div><div>&nbsp;'
        '<div name="quote" style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;">'
        "<div><b>Gesendet:</b>&nbsp;Samstag, 21. November 2026 um 10:30 Uhr<br><b>Von:</b>&nbsp;Overland "
        "&lt;overland@play.example&gt;<br><b>An:</b>&nbsp;anna@players.example<br><b>Betreff:</b>&nbsp;Re: x</div>"
        f'<div name="quoted-content">{body_of(sent.html)}</div></div></div></div></body></html>'
    )
    return mail(content, "text/html; charset=UTF-8")


GMX_BLOCK = (
    "Gesendet: Samstag, 21. November 2026 um 10:30 Uhr\nVon: Overland <overland@play.example>\n"
    "An: anna@players.example\nBetreff: Re: [Oregon #m-mailed] On the trail"
)
SAMSUNG = (
    "-------- Original message --------\nFrom: Overland <overland@play.example>\nDate: 21/11/2026 10:30 (GMT+01:00)\n"
    "To: Anna <anna@players.example>\nSubject: Re: [Oregon #m-mailed] On the trail"
)
SAMSUNG_FR = SAMSUNG.replace("Original message", "Message d'origine").replace("From:", "De :").replace("To:", "À :")
SAMSUNG_DE = SAMSUNG.replace("Original message", "Ursprüngliche Nachricht").replace("From:", "Von:")
K9 = "Am 21. November 2026 10:30:00 MEZ schrieb Overland <overland@play.example>:"

CASES = (
    Case("Yahoo", "quoted by indenting", "plays 4", yahoo_indented),
    Case("Yahoo", "HTML only", "plays 4", yahoo_html),
    Case(
        "Yahoo",
        "on a telephone",
        "plays 4",
        above(
            "4",
            "On Sat, Nov 21, 2026 at 10:30 AM, Overland<overland@play.example> wrote:",
            marks=False,
            footer="\nYahoo Mail: Search, Organize, Conquer\n",
        ),
    ),
    Case("Thunderbird", "format=flowed", "plays 4", thunderbird),
    Case("Thunderbird", "below the quotation", "plays 4", thunderbird_below),
    Case("Thunderbird", "HTML only", "plays 4", thunderbird_html),
    Case("Thunderbird", "in French", "plays 4", above("4", "Le 21/11/2026 à 10:30, Overland a écrit :")),
    Case("Thunderbird", "in Italian", "plays 4", above("4", "Il 21/11/2026 10:30, Overland ha scritto:")),
    Case("Thunderbird", "in German", "plays 4", above("4", "Am 21.11.26 um 10:30 schrieb Overland:")),
    Case(
        "K-9 Mail",
        "in German, with its footer",
        "plays 4",
        above(
            "4",
            K9,
            footer="-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.\n",
        ),
    ),
    Case(
        "K-9 Mail",
        "a footer without separator",
        "plays 4",
        above(
            "4",
            "On 21 November 2026 10:30:00 CET, Overland <overland@play.example> wrote:",
            footer="Sent from my Android device with K-9 Mail. Please excuse my brevity.",
        ),
    ),
    Case("Samsung", "Original message", "plays 4", above("4\n\nSent from my Galaxy", SAMSUNG, marks=False)),
    Case("Samsung", "in French", "plays 4", above("4\nEnvoyé depuis mon appareil Galaxy", SAMSUNG_FR, marks=False)),
    Case("Samsung", "in German", "plays 4", above("4\nVon meinem Galaxy gesendet", SAMSUNG_DE, marks=False)),
    Case("Proton", "with its footer", "plays 4", proton),
    Case("Proton", "Original Message between hyphens", "plays 4", proton_old),
    Case("Zoho", "an attribution between dashes", "plays 4", zoho),
    Case("terminal", "mutt, a move below the quotation", "plays 4", mutt),
    Case("terminal", "alpine, below the quotation", "plays 4", alpine),
    Case("terminal", "typed between quoted lines", "plays 4", interleaved),
    Case("terminal", "initials as marks", "plays 4", initials),
    Case("terminal", "quoted lines broken, only their beginnings marked", "plays 4", broken_marks),
    Case("GMX and web.de", "HTML only", "plays 4", gmx),
    Case("GMX and web.de", "text", "plays 4", above("4", GMX_BLOCK, marks=False)),
    Case("Orange and La Poste", "a header block with marks", "plays 4", orange),
    Case("Free", "Mail original, and a wrong charset", "plays 4", zimbra),
    Case("Libero", "Messaggio originale", "plays 4", libero),
    Case("Libero", "HTML only", "plays 4", libero_html),
    Case("any", "nothing quoted", "plays 4", lambda sent: mail("4\n")),
    Case("any", "quoted without marks and introduction", "plays 4", lambda sent: mail(f"4\n\n{sent.text}")),
    Case("any", "our mail sent back", "asks for nothing", lambda sent: mail(sent.text)),
    Case("any", "our mail sent back as HTML", "asks for nothing", lambda sent: mail(sent.html, "text/html")),
    Case("any", "the end of our mail", "asks for nothing", lambda sent: mail(sent.text[len(sent.text) // 2 :])),
    Case("any", "a line of our list copied", "offers 5", lambda sent: mail(f"5  {sent.legal[4]}")),
    Case("any", "a move in full", "plays 4", lambda sent: mail(f"{sent.legal[3].upper()}!")),
    Case("any", "a move of Montana", "plays 4", lambda sent: mail(sent.legal[3]), "montana"),
    Case("any", "a move of Ozeanien", "plays 4", lambda sent: mail(sent.legal[3]), "ozeanien"),
    Case("any", "a number in a mail of Ozeanien", "plays 4", above("4", K9), "ozeanien"),
    Case("any", "a number in a mail of Montana", "plays 4", above("4", K9, width=60), "montana"),
)
