# ruff: noqa: RUF001 -- letters of other scripts
"""Quotations of mails that are not ours, below what introduces them in many languages; and what
gateways and companies put above an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.service.inbox.corpus.cases import Build, Case, mail, marked

ABOVE: Final[Mapping[str, str]] = {
    "Thunderbird in Czech": "Dne 21. 11. 26 v 10:30 Overland napsal(a):",
    "Thunderbird in Slovenian": "Overland je 21. 11. 2026 ob 10:30 napisal:",
    "Thunderbird in Estonian": "Overland kirjutas 21.11.2026 kell 10:30:",
    "Thunderbird in Catalan": "El 21/11/26 a les 10:30, Overland ha escrit:",
    "Thunderbird in Galician": "O 21/11/26 ás 10:30, Overland escribiu:",
    "Thunderbird in Basque": "Overland(e)k 2026(e)ko aza. 21(a) 10:30(e)an idatzi zuen:",
    "Thunderbird in Icelandic": "Þann 21.11.2026 10:30, skrifaði Overland:",
    "Thunderbird in Welsh": "Ar 21/11/2026 10:30, ysgrifennodd Overland:",
    "Thunderbird in Croatian": "Dana 21. 11. 2026. u 10:30, Overland je napisao/la:",
    "Thunderbird in Serbian": "Дана 21. 11. 2026. у 10:30, Overland је написао:",
    "Thunderbird in Vietnamese": "Vào 21/11/2026 10:30, Overland đã viết:",
    "Thunderbird in Indonesian": "Pada tanggal 21/11/26 10:30, Overland menulis:",
    "Thunderbird in Korean": "2026-11-21 오전 10:30에 Overland 이(가) 쓴 글:",
    "Thunderbird in Persian": "در 21/11/26 10:30، Overland نوشت:",
    "Thunderbird in Hindi": "21/11/26 10:30 को, Overland ने लिखा:",
    "eM Client in German": '------ Originalnachricht ------\nVon "Overland" <o@play.example>\nAn ann@demo.example\n'
    "Datum 21.11.2026 10:30:00\nBetreff x",
    "a title in Hungarian": "-------- Eredeti üzenet --------",
    "a title in Danish": "-------- Oprindelig meddelelse --------",
    "a title in Greek": "-------- Αρχικό μήνυμα --------",
    "a title in Hebrew": "-------- הודעה מקורית --------",
    "a title in Korean": "-------- 원본 이메일 --------",
    "a title of QQ": "------------------ 原始邮件 ------------------",
    "a title in Thai": "---------- ข้อความที่ส่งต่อ ----------\nจาก: Overland <o@play.example>",
    "Outlook in Thai": "จาก: Overland <o@play.example>\nส่ง: 21 พฤศจิกายน 2569 10:30\nถึง: Ann\nเรื่อง: x",
}
SECRET: Final = "This message is confidential. If you are not the intended recipient, delete it."
BANNERS: Final[Mapping[str, str]] = {
    "a warning between stars": "***External Message***",
    "a warning between strokes": "----- External Message -----",
    "a warning in French between stars": "*** Courriel externe ***",
    "a warning below a heading": "CAUTION:\nThis email originated from outside of the organization.",
    "a warning without a heading": "This message originated from outside your organization.",
    "a warning of Proofpoint": "ZjQcmQRYFpfptBannerStart\nThis Message Is From an External Sender\n"
    "This message came from outside your organization.\nZjQcmQRYFpfptBannerEnd",
    "a warning in German": "Diese E-Mail kommt von außerhalb der Organisation. Klicken Sie nicht auf Links.",
    "a warning in Spanish": "PRECAUCIÓN: Este correo electrónico se originó fuera de la organización.",
    "a warning in Dutch": "LET OP: Deze e-mail komt van buiten de organisatie.",
    "a warning in Swedish": "VARNING: Detta mejl kommer från en extern avsändare.",
    "a warning in Polish": "UWAGA: Ta wiadomość pochodzi spoza organizacji.",
    "a warning in Japanese": "※このメールは社外から送信されています。",
    "a warning in Chinese": "【外部邮件】注意安全",
    "who writes seldom, in German": "Sie erhalten nicht oft E-Mails von ann@demo.example. Erfahren Sie, warum",
    "a label of secrecy": "Classification: Internal",
    "a label of secrecy in brackets": "[PUBLIC]",
    "a label of one word": "OFFICIAL",
    "what a scanner adds": "This message has been scanned for malware by Websense. www.websense.com",
    "that it was sent securely": "This email was sent securely.",
}


def of_others(introduction: str, typed: str = "") -> Build:
    """A move that somebody else wrote in a mail that is not ours, quoted without marks."""
    return lambda sent: mail(f"{typed}\n\n{introduction}\n\n{sent.legal[4]}\n")


def broken(first: str, second: str) -> Build:
    """A number above an attribution that a mail program has broken."""
    return lambda sent: mail(f"4\n\n{first}\n{second}\n\n{marked(sent.text)}\n")


def below(banner: str) -> Build:
    """A move in a line right below what a gateway or a company puts above."""
    return lambda sent: mail(f"{banner}\n{sent.legal[3]}\n\nSent from my iPhone\n\n{marked(sent.text)}\n")


CASES = (
    *(
        Case("put above", what, "plays 4", lambda sent, banner=banner: mail(f"{banner}\n\n4\n"))  # type: ignore[misc]
        for what, banner in BANNERS.items()
    ),
    *(
        Case("put above", f"{what}, the move in the next line", "plays 4", below(banner))
        for what, banner in BANNERS.items()
        if banner.endswith(("]", "*", "-"))
    ),
    Case(
        "put above",
        "a disclaimer above and below, nothing typed",
        "asks for nothing",
        lambda sent: mail(f"{SECRET}\n\n{marked(sent.text)}\n\n{SECRET}\n\n{sent.legal[4]}\n"),
    ),
    Case(
        "put above",
        "a disclaimer below the answer, and more below it",
        "plays 4",
        lambda sent: mail(f"4\n\n{SECRET}\n\n5\n{sent.legal[4]}\n"),
    ),
    *(
        Case("not ours, without marks", f"{what}, nothing typed", "asks for nothing", of_others(introduction))
        for what, introduction in ABOVE.items()
    ),
    *(
        Case("not ours, without marks", what, "plays 4", of_others(introduction, "4"))
        for what, introduction in ABOVE.items()
    ),
    Case(
        "quoted with marks",
        "Gmail in Finnish, an attribution over two lines",
        "plays 4",
        broken("la 21. marrask. 2026 klo 10.30 Overland", "(overland@play.example) kirjoitti:"),
    ),
)
