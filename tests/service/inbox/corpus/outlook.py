"""Outlook on desktops, in browsers and on telephones, and what companies' servers add."""

from __future__ import annotations

from tests.service.inbox.corpus.cases import Build, Case, alternative, body_of, mail, page, part, parts, wrapped
from tests.service.inbox.sent_mails import Sent

RULE = "_" * 32
EN = (
    "From: Overland <overland@play.example>\nSent: Saturday, November 21, 2026 10:30 AM\n"
    "To: Anna Rossi <anna@players.example>\nSubject: Re: [Oregon #m-mailed] On the trail"
)
FR = (
    "De : Overland <overland@play.example>\nEnvoyé : samedi 21 novembre 2026 10:30\n"
    "À : Anna Rossi <anna@players.example>\nObjet : Re: [Oregon #m-mailed] On the trail"
)
IT = (
    "Da: Overland <overland@play.example>\nInviato: sabato 21 novembre 2026 10:30\n"
    "A: Anna Rossi <anna@players.example>\nOggetto: Re: [Oregon #m-mailed] On the trail"
)
DE = (
    "Von: Overland <overland@play.example>\nGesendet: Samstag, 21. November 2026 10:30\n"
    "An: Anna Rossi <anna@players.example>\nBetreff: Re: [Oregon #m-mailed] On the trail"
)
DISCLAIMER = (
    "CONFIDENTIALITY NOTICE: This e-mail and any attachments are for the exclusive use of the recipient. If you\n"
    "are not the intended recipient, call 4 of our 5 offices at +39 02 1234567 and delete it.\n\n"
    "Acme S.p.A., Via Roma 7, 20121 Milano, capital 1,000,000 euros"
)


def html(sent: Sent, typed: str, block: str = EN) -> str:
    """The HTML of Outlook on a desktop: the quotation has no mark but a line above its header."""
    return (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang="EN-US"><div class="WordSection1">'
        f'<p class="MsoNormal">{typed}<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in">'
        f'<p class="MsoNormal">{page(block)}</p></div>{body_of(sent.html)}</div></body></html>'
    )


def desktop(typed: str, block: str = EN, above: str = "") -> Build:
    def build(sent: Sent) -> bytes:
        text = f"{above}{typed}\n\n{block}\n\n{sent.texts[1]}\n"
        return alternative(text, html(sent, page(above + typed), block))

    return build


def web(sent: Sent) -> bytes:
    content = (
        f'<html><body><div class="elementToProof">4</div><div id="appendonsend"></div><hr style="width:98%">'
        f'<div id="divRplyFwdMsg" dir="ltr">{page(EN)}</div><div>{body_of(sent.html)}</div></body></html>'
    )
    return alternative(f"4\n{RULE}\n{EN}\n\n{sent.texts[1]}", content)


def web_html_only(sent: Sent) -> bytes:
    content = (
        f'<html><body><div class="elementToProof">4</div><div id="appendonsend"></div><hr>'
        f'<div id="divRplyFwdMsg"><b>From:</b> Overland<br></div><div>{body_of(sent.html)}</div></body></html>'
    )
    return mail(content, "text/html; charset=utf-8", "base64")


def phone(sent: Sent) -> bytes:
    footer = "Get Outlook for iOS<https://aka.ms/o0ukef>"
    return mail(f"4\n\n{footer}\n{RULE}\n{EN}\n\n{sent.texts[1]}")


def original(sent: Sent) -> bytes:
    return mail(f"4\n\n-----Original Message-----\n{EN}\n\n{wrapped(sent.text, 60)}", encoding="quoted-printable")


def originale(sent: Sent) -> bytes:
    return mail(f"4\n\n-----Messaggio originale-----\n{IT}\n\n{sent.text}", encoding="quoted-printable")


def inline(sent: Sent) -> bytes:
    """Typed between two lines of ours, none of which has a mark."""
    at = sent.texts[1].index("\n\n", len(sent.texts[1]) // 2)
    return mail(f"See below.\n\n{EN}\n\n{sent.texts[1][:at]}\n\n4\n\n{sent.texts[1][at:]}")


def angles(sent: Sent) -> bytes:
    """Outlook with marks, and links written out behind their texts."""
    quoted = "\n".join(f"> {line} <https://play.example/v1>" if line else ">" for line in sent.text.split("\n"))
    return mail(f"4\n\n{EN}\n{quoted}")


def windows_1252(sent: Sent) -> bytes:
    text = f"4 \u2013 thanks\n\n{FR}\n\n{sent.text}"
    return mail(text, "text/plain; charset=Windows-1252", "quoted-printable", "cp1252")


def winmail(sent: Sent) -> bytes:
    return parts(
        "multipart/mixed",
        part(f"4\n\n{EN}\n\n{sent.text}", "text/plain; charset=us-ascii", charset="utf-8"),
        part(b"\x78\x9f\x3e\x22", "application/ms-tnef; name=winmail.dat", "base64"),
    )


def winmail_only(sent: Sent) -> bytes:
    return mail(b"\x78\x9f\x3e\x22", "application/ms-tnef; name=winmail.dat", "base64")


def gateway(sent: Sent) -> bytes:
    return mail(f"4\n\nAnna\n\n{EN}\n\n{sent.text}\n\n{DISCLAIMER}")


def gateway_above(sent: Sent) -> bytes:
    return mail(f"4\n\nKind regards\nAnna Rossi\n\n{DISCLAIMER}\n\n{EN}\n\n{sent.text}")


CASES = (
    Case("Outlook", "desktop, a number", "plays 4", desktop("4")),
    Case("Outlook", "desktop in French", "plays 4", desktop("4", FR)),
    Case("Outlook", "desktop in Italian", "plays 4", desktop("4", IT)),
    Case("Outlook", "desktop in German", "plays 4", desktop("4", DE)),
    Case("Outlook", "desktop, nothing typed", "asks for nothing", desktop("")),
    Case("Outlook", "desktop, a greeting above", "plays 4", desktop("4", above="Hello,\n\n")),
    Case("Outlook", "desktop, a greeting on the line", "offers 4", desktop("Hi! 4")),
    Case("Outlook", "in a browser", "plays 4", web),
    Case("Outlook", "in a browser, HTML only", "plays 4", web_html_only),
    Case("Outlook", "on a telephone", "plays 4", phone),
    Case("Outlook", "Original Message, rewrapped", "plays 4", original),
    Case("Outlook", "Messaggio originale", "plays 4", originale),
    Case("Outlook", "typed into the quotation without marks", "plays 4", inline),
    Case("Outlook", "links written out in the quotation", "plays 4", angles),
    Case("Outlook", "Windows-1252 and a remark on the line", "offers 4", windows_1252),
    Case("Outlook", "a winmail.dat beside the text", "plays 4 (tnef)", winmail),
    Case("Outlook", "nothing but a winmail.dat", "asks for nothing (tnef)", winmail_only),
    Case("company", "a disclaimer below the quotation", "plays 4", gateway),
    Case("company", "a disclaimer above the quotation", "plays 4", gateway_above),
    Case(
        "company",
        "a warning above the text",
        "plays 4",
        desktop("4", above="[EXTERNAL] This message is from outside of Acme.\n\n"),
    ),
)
