# ruff: noqa: RUF001 -- letters of other scripts
"""Mails in which something looks like a move that nobody meant: numbers of addresses, in files, in
signatures and cells; automatic mails that do not say so; quotations introduced in other languages.
"""

from __future__ import annotations

from tests.service.inbox.corpus.cases import Build, Case, alternative, mail, marked, nested, part, parts
from tests.service.inbox.corpus.special import ON, bare, says
from tests.service.inbox.sent_mails import Sent

RULE = "_" * 32
NOT_ANSWERED = "is not answered (automatic)"
ENVELOPED = bytes.fromhex("308006092a864886f70d010703a080")
SIGNED = bytes.fromhex("308006092a864886f70d010702a080") + b"4\n"


def under(introduction: str, typed: str = "4", mark: str = "") -> Build:
    """A number above an introduction, and our mail below without marks, with a move that is new."""

    def build(sent: Sent) -> bytes:
        quoted = marked(sent.text) if mark else sent.text
        return mail(f"{typed}\n\n{introduction}\n\n5\n{sent.legal[4]}\n{quoted}\n")

    return build


def automatic(subject: str, text: str = "4") -> Build:
    """A mail of a program whose headers say nothing."""
    return lambda sent: mail(f"{text}\n", Subject=subject)


def reaction(emoji: str) -> Build:
    """An emoji below a mail of ours, by Gmail, with one line that says what it is."""
    text = f"{emoji}\n\nAnn reacted via Gmail\n<https://www.google.com/gmail/about/>\n"
    return lambda sent: parts(
        "multipart/alternative",
        part(f"{text}\nOn Sat, 21 Nov 2026, Overland wrote:\n\n{marked(sent.text)}\n", "text/plain; charset=utf-8"),
        part(f'{{"version": 1, "emoji": "{emoji}"}}', "text/vnd.google.email-reaction+json; charset=utf-8"),
        part(f"<p>{emoji}</p>", "text/html; charset=utf-8"),
    )


def invisible(sent: Sent) -> bytes:
    """A text of marks and blanks of no width, beside the HTML."""
    return alternative("\u00a0\n\u200b\n\ufeff\n", "<div>4</div>")


def calendar(sent: Sent) -> bytes:
    return parts(
        "multipart/alternative",
        part("4\n", "text/plain; charset=UTF-8"),
        part("BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR\n", "text/calendar; charset=UTF-8; method=REPLY"),
    )


def file(kind: str, extra: str = "") -> Build:
    """A second text that is a file."""
    return lambda sent: parts(
        "multipart/mixed",
        part("Here are Bela's notes, I am still thinking.\n", "text/plain; charset=utf-8"),
        part("5\n", kind, extra=extra),
    )


def forward(dashes: str) -> Build:
    def build(sent: Sent) -> bytes:
        header = (
            "From: Bela <bela@demo.example>\nDate: Tue, Nov 24, 2026 at 10:00 PM\nSubject: x\nTo: Anna <a@b.example>"
        )
        return mail(f"What do you think, Overland?\n\n{dashes}\n{header}\n\n\n5\n{sent.legal[4]}\n")

    return build


def cells(typed: str, signature: str) -> Build:
    """HTML alone, with a table for the signature."""
    return lambda sent: mail(f"<html><body><p>{typed}</p>{signature}</body></html>", "text/html; charset=utf-8")


def encoded_in(charset: str, codec: str, below: str) -> Build:
    """A wide 4, and a letter below, in a codec that goes by another name."""
    return lambda sent: mail(f"\uff14\n\n{below}\n".encode(codec), f"text/plain; charset={charset}", "base64")


TABLE = "<table><tr><td><img src=x></td><td>Anna Rossi</td></tr><tr><td></td><td>5</td></tr></table>"
WHY = "Do not click on links or open attachments unless you know the sender, and that these are safe."
RUSSIAN = (
    "От: Overland <overland@play.example>\nОтправлено: 24 ноября 2026 г. 23:12\nКому: Ann <ann@demo.example>\nТема: x"
)
GREEK = "Από: Overland <o@play.example>\nΣτάλθηκε: Τρίτη, 24 Νοεμβρίου 2026\nΠρος: Ann\nΘέμα: x"
FINNISH = "Lähettäjä: Overland <o@play.example>\nLähetetty: tiistai 24. marraskuuta 2026\nVastaanottaja: Ann\nAihe: x"
CHINESE = "发件人: Overland <o@play.example>\n发送时间: 2026年11月24日 23:12\n收件人: Ann\n主题: x"
UNKNOWN = "Nuo kas: Overland <o@play.example>\nIšleista: 2026 m. lapkričio 24 d.\nKam tai: Ann\nApie ką: x"
CASES = (
    Case(
        "numbers",
        "a house in the signature",
        "offers 5",
        bare("Busy day, I will move tomorrow.\n\nAnn\nRose Cottage\nNo. 5\nHigh Street"),
    ),
    Case("numbers", "an address alone", "offers 5", bare("No. 5\nHigh Street\nLondon")),
    Case("numbers", "below a name", "offers 5", bare("I will move tomorrow.\n\nAnn Berg\n5")),
    Case("numbers", "an age in chat", "offers 5", bare("My daughter is older than I thought:\n5\n\nMore tomorrow")),
    Case("numbers", "below a greeting", "plays 4", bare("Hi Overland,\n\n4\n\nAnn")),
    Case("numbers", "below a name and a comma", "plays 4", bare("Ben,\n\n4\n\nBest, Ann")),
    Case("numbers", "below thanks", "plays 4", bare("Thank you!\n4")),
    Case("numbers", "below a chat to all", "plays 4, says: well played", bare("say well played\n\n4\n\nBye, Ann")),
    Case("numbers", "said to be played, below chat", "plays 4", bare("Well played, Ben.\n\nI play 4\n")),
    Case("numbers", "chat below", "plays 4", bare("4\n\nSunday was fun! Ann\nRose Cottage")),
    Case("signs", "thumbs down", "offers 4", says("4 \U0001f44e")),
    Case("signs", "thumbs down on the next line", "offers 4", says("4", "\U0001f44e")),
    Case("signs", "thumbs down as a picture", "offers 4", cells('4 <img src="x" alt="\U0001f44e">', "")),
    Case("signs", "a cross", "offers 4", says("\u274c 4")),
    Case("signs", "a doubtful face", "offers 4", says("4 \U0001f914")),
    Case("signs", "a sad emoticon", "offers 4", says("4 :-(")),
    Case("signs", "thumbs up, in brown", "plays 4", says("4 \U0001f44d\U0001f3fd")),
    Case("words of numbers", "dictated", "offers 4", bare("Number four please\n\nSent from my Apple Watch")),
    Case("words of numbers", "alone", "offers 4", says("four")),
    Case("words of numbers", "with a stop", "offers 4", says("I play four.")),
    Case("words of numbers", "French", "offers 4", says("Le quatre, s'il te plaît")),
    Case("words of numbers", "Italian", "offers 4", says("Numero quattro, grazie")),
    Case("words of numbers", "German", "offers 4", says("Nummer vier bitte")),
    Case("words of numbers", "of two words", "offers 24", says("twenty-four")),
    Case("words of numbers", "in a sentence", "asks for nothing", says("The four of us will meet on Sunday")),
    Case(
        "files", "named by the content type only", "asks for nothing (attachment)", file('text/plain; name="notes.txt"')
    ),
    Case("files", "HTML with a name", "asks for nothing (attachment)", file('text/html; name="notes.html"')),
    Case("files", "a name in parts", "asks for nothing (attachment)", file("text/plain; name*=utf-8''n%C3%B6.txt")),
    Case(
        "files",
        "inline, with a name",
        "asks for nothing (attachment)",
        file("text/plain", 'Content-Disposition: inline; filename="notes.txt"\n'),
    ),
    Case("cells", "a table for a signature", "asks for nothing", cells("I will move tomorrow.", TABLE)),
    Case("cells", "beside a number that was typed", "plays 4", cells("4", TABLE)),
    Case("cells", "the whole mail in a table", "plays 4", cells("", "<table><tr><td>4</td></tr></table>")),
    Case(
        "chat",
        "a slip below",
        "offers 4",
        lambda sent: mail(f"say Well played…\n{sent.legal[3].replace('farmer', 'famer')}\n"),
    ),
    Case("chat", "a number below a long line", "offers 4", says(f"say {'I do not know what to do, ' * 3}", "4")),
    Case("chat", "two lines of chat", "says: well played see you soon", says("say well played", "see you soon")),
    Case(
        "rules between sections",
        "a number between",
        "offers 4",
        bare(f"First: well played.\n{RULE}\n\n4\n{RULE}\n\nUntil Sunday\n\n{ON}\n\n> x"),
    ),
    Case("rules between sections", "a number first", "plays 4", bare(f"4\n{RULE}\n\nUntil Sunday\n\n{ON}\n\n> x")),
    Case("rules between sections", "of hyphens", "plays 4", bare("4\n-----------\n\nUntil Sunday")),
    Case(
        "forwarded", "by Gmail, with a question", "asks for nothing", forward("---------- Forwarded message ---------")
    ),
    Case("forwarded", "by Outlook, with a question", "asks for nothing", forward(RULE)),
    Case("forwarded", "by Apple Mail, with a question", "asks for nothing", forward("Begin forwarded message:")),
    Case("quoted without marks", "Outlook in Russian", "plays 4", under(RUSSIAN)),
    Case("quoted without marks", "Outlook in Greek", "plays 4", under(GREEK)),
    Case("quoted without marks", "Outlook in Finnish", "plays 4", under(FINNISH)),
    Case("quoted without marks", "Outlook in Chinese", "plays 4", under(CHINESE)),
    Case("quoted without marks", "a language that is not known", "plays 4", under(UNKNOWN)),
    Case(
        "quoted without marks",
        "Gmail in Russian",
        "plays 4",
        under("вт, 24 нояб. 2026 г. в 23:12, Overland <o@play.example>:"),
    ),
    Case(
        "quoted without marks",
        "Apple Mail in Russian",
        "plays 4",
        under("24 нояб. 2026 г., в 23:12, Overland написал(а):"),
    ),
    Case(
        "quoted without marks",
        "mail.ru",
        "plays 4",
        under("Вторник, 24 ноября 2026, 23:12 +03:00 от Overland <o@play.example>:"),
    ),
    Case(
        "quoted without marks",
        "Gmail in Polish",
        "plays 4",
        under("wt., 24 lis 2026 o 23:12 Overland <o@play.example> napisał(a):"),
    ),
    Case(
        "quoted without marks",
        "Gmail in Turkish",
        "plays 4",
        under("Overland <o@play.example>, 24 Kas 2026 Sal, 23:12 tarihinde şunu yazdı:"),
    ),
    Case(
        "quoted without marks",
        "Gmail in Hungarian",
        "plays 4",
        under("Overland <o@play.example> ezt írta (időpont: 2026. nov. 24., K, 23:12):"),
    ),
    Case(
        "quoted without marks",
        "Gmail in Japanese",
        "plays 4",
        under("2026年11月24日(火) 23:12 Overland <o@play.example>:"),
    ),
    Case(
        "quoted without marks",
        "Gmail in Chinese",
        "plays 4",
        under("Overland <o@play.example> 于2026年11月24日周二 23:12写道:"),
    ),
    Case(
        "quoted without marks",
        "Gmail in Ukrainian",
        "plays 4",
        under("вт, 24 лист. 2026 р. о 23:12 Overland <o@play.example> пише:"),
    ),
    Case(
        "automatic",
        "Lotus Notes",
        NOT_ANSWERED,
        automatic(
            "Ann Berg is out of the office (returning 04.12.2026)",
            "I will be out of the office starting 24.11.2026.\n\n25",
        ),
    ),
    Case(
        "automatic",
        "in Polish, without headers",
        NOT_ANSWERED,
        automatic("Automatyczna odpowiedź: Re: x", "Jestem na urlopie do 4 grudnia."),
    ),
    *(
        Case("phone", f"a footer with a number, in {language}", "plays 4", bare(f"4\n\n{footer}"))
        for language, footer in (
            ("Chinese", "发自我的小米14"),
            ("Japanese", "Galaxy S24から送信"),
            ("Korean", "내 Galaxy S24에서 보냄"),
            ("Russian", "Отправлено с iPhone 4"),
            ("Polish", "Wysłane z iPhone 4"),
            ("Arabic", "أُرسلت من الـ iPhone 4"),
            ("Hebrew", "נשלח מה-iPhone 4 שלי"),
        )
    ),
    *(
        Case("automatic", f"a subject in {language}", NOT_ANSWERED, automatic(subject))
        for language, subject in {
            "Spanish": "Respuesta automática: x",
            "Dutch": "Automatisch antwoord: x",
            "Portuguese": "Resposta automática: x",
            "Swedish": "Autosvar: x",
            "Danish": "Fraværsmeddelelse",
            "Finnish": "Automaattinen vastaus: x",
            "Russian": "Автоматический ответ: x",
            "Czech": "Automatická odpověď: x",
            "English, behind a name": "Ann Berg is away until Monday",
            "German, behind a name": "Ann Berg ist im Urlaub",
        }.items()
    ),
    *(
        Case("automatic", f"a first line in {language}", NOT_ANSWERED, automatic("Re: x", f"{line}\n\n4"))
        for language, line in {
            "English": "I am currently out of the office until 4 December.",
            "French": "Je suis absente du bureau jusqu'au 4 décembre.",
            "German": "Ich bin vom 24.11. bis 4.12. nicht im Büro.",
            "Italian": "Sono fuori ufficio fino al 4 dicembre.",
            "Spanish": "Estoy fuera de la oficina hasta el 4 de diciembre.",
            "Dutch": "Ik ben tot 4 december afwezig.",
            "Portuguese": "Estou de férias até 4 de dezembro.",
            "Polish": "Przebywam na urlopie do 4 grudnia.",
            "Swedish": "Jag är inte på kontoret förrän 4 december.",
            "Russian": "Я в отпуске до 4 декабря.",
        }.items()
    ),
    *(
        Case("automatic", f"below a greeting in {language}", NOT_ANSWERED, automatic("Re: x", f"{text}\n\n4"))
        for language, text in {
            "English": "Hello,\n\nThank you for your email. I am away from 24 November.",
            "French": "Bonjour,\n\nJe suis actuellement en congés jusqu'au 4 décembre inclus.",
            "German": "Sehr geehrte Damen und Herren,\n\nich befinde mich derzeit im Urlaub.",
            "Italian": "Buongiorno,\n\nsono in ferie fino al 4 dicembre.",
            "Spanish": "Hola,\n\nEstaré de vacaciones hasta el 4 de diciembre.",
            "Dutch": "Beste,\n\nMomenteel ben ik afwezig tot 4 december.",
            "Swedish": "Hej!\n\nJag har semester till och med 4 december.",
            "Polish": "Dzień dobry,\n\njestem na urlopie do 4 grudnia.",
            "Czech": "Dobrý den,\n\nmomentálně jsem na dovolené do 4. prosince.",
            "Turkish": "Merhaba,\n\n4 Aralık'a kadar izindeyim.",
            "Greek": "Γεια σας,\n\nΘα απουσιάζω από το γραφείο έως τις 4 Δεκεμβρίου.",
            "Hebrew": "שלום,\n\nאני בחופשה עד ה-4 בדצמבר.",
            "Korean": "안녕하세요.\n\n12월 4일까지 휴가입니다.",
        }.items()
    ),
    Case(
        "automatic",
        "a reaction of Outlook",
        NOT_ANSWERED,
        automatic("Re: x", "\U0001f44d  Ann reacted to your message:"),
    ),
    Case("automatic", "a receipt of Thunderbird", NOT_ANSWERED, automatic("Return Receipt (displayed) - x", "x")),
    Case("automatic", "not delivered by Exchange, in German", NOT_ANSWERED, automatic("Unzustellbar: Re: x", "x")),
    Case(
        "automatic",
        "a person who greets and thanks",
        "plays 4",
        says("Hello,", "", "4", "", "Thank you, I am away soon"),
    ),
    Case("Gmail", "a reaction", "asks for nothing (reaction)", reaction("\U0001f44d")),
    Case("Gmail", "a number as a reaction", "plays 4 (reaction)", reaction("4\ufe0f\u20e3")),
    Case("any", "a text that cannot be seen, beside HTML", "plays 4", invisible),
    Case("Gmail", "a number below a picture", "plays 4", says("[image: image.png]", "", "4")),
    Case("charsets", "the stop of a Japanese keyboard", "plays 4", says("4\u3002")),
    Case("automatic", "a calendar accepts", NOT_ANSWERED, calendar),
    Case(
        "automatic", "a calendar accepts, in the subject", NOT_ANSWERED, automatic("Accepted: game night @ Tue Nov 24")
    ),
    Case("automatic", "a calendar accepts, in German", NOT_ANSWERED, automatic("Zugesagt: Spieleabend")),
    Case(
        "automatic",
        "a calendar accepts, in its text",
        NOT_ANSWERED,
        automatic("x", "Ann Berg has accepted this invitation.\n\n4"),
    ),
    Case("automatic", "a receipt without headers", NOT_ANSWERED, automatic("Read: Your turn")),
    Case("automatic", "a receipt in French", NOT_ANSWERED, automatic("Lu : Your turn")),
    Case(
        "automatic", "a person who speaks of an office", "plays 4", says("4", "I will be out of the office tomorrow.")
    ),
    Case("automatic", "a person who is away", "says away 3 days", says("I'm away 3 days")),
    Case(
        "OpenPGP and S/MIME",
        "S/MIME, signed and opaque",
        "asks for nothing (opaque)",
        lambda sent: mail(SIGNED, "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "base64"),
    ),
    Case(
        "OpenPGP and S/MIME",
        "S/MIME, signed and opaque, without a type",
        "asks for nothing (opaque)",
        lambda sent: mail(SIGNED, "application/x-pkcs7-mime; name=smime.p7m", "base64"),
    ),
    Case(
        "OpenPGP and S/MIME",
        "S/MIME, encrypted, as a file",
        "asks for nothing (encrypted)",
        lambda sent: parts("multipart/mixed", part(ENVELOPED, "application/octet-stream; name=smime.p7m", "base64")),
    ),
    Case(
        "OpenPGP and S/MIME",
        "signed within a list's parts",
        "plays 4 (signed)",
        lambda sent: parts(
            "multipart/mixed",
            nested(
                'multipart/signed; protocol="application/pkcs7-signature"',
                "=_s",
                part("4\n", "text/plain; charset=utf-8"),
                part(b"0\x80", "application/pkcs7-signature; name=smime.p7s", "base64"),
            ),
        ),
    ),
    Case("corrections", "behind a word", "offers 4, 5", says("4", "Edit: 5")),
    Case("corrections", "at the end of a sentence", "offers 4, 5", says("4", "No, I want that. 5")),
    Case("corrections", "a telephone", "plays 4", says("4", "", "Ann", "T. 5 555 12 34")),
    *(
        Case("corrections", typed, "offers 4", says("4", "", typed))
        for typed in (
            "no wait",
            "Never mind, I need to think",
            "The fifth one, sorry",
            "Warte, doch nicht",
            "Non, attends",
            "No, aspetta",
        )
    ),
    Case("words", "an offer beside a move", "offers 4, offer draw", says("4", "Offer a draw")),
    Case("words", "a setting beside a move", "offers 4, settings digest 19", says("4", "settings digest 19")),
    Case("words", "a question about settings beside a move", "plays 4, says settings", says("4", "settings?")),
    Case("corrections", "no wait, below yes", "offers yes", says("yes", "", "No wait!")),
    Case("corrections", "no wait, below a word that only asks", "says board", says("board", "", "No wait!")),
    Case("corrections", "nothing that takes back", "plays 4", says("4", "", "I can't wait! Great last move")),
    Case("company", "a tag of a gateway above", "plays 4", bare("[EXT]\n\n4")),
    *(
        Case("company", f"a warning in {what} right above", "plays 4", cells("", f"{warning}<div>4</div>"))
        for what, warning in (
            ("a table", f"<table><tr><td></td><td>You don't often get mail from a@b.example. {WHY}</td></tr></table>"),
            ("a block", f"<div>CAUTION: This email came from outside. {WHY}</div>"),
            ("a line", f"EXTERNAL EMAIL: {WHY}<br>"),
        )
    ),
    Case("cells", "right below a quotation", "plays 4", cells("", f"<blockquote>{WHY} 4 1 2 3</blockquote>4")),
    Case("charsets", "Japanese, narrow katakana", "plays 4", encoded_in("iso-2022-jp", "iso2022_jp_ext", "\uff76")),
    Case("charsets", "Japanese, a letter of Windows", "plays 4", encoded_in("shift_jis", "cp932", "\u9ad9")),
    Case(
        "charsets",
        "Japanese, a letter that is none",
        "plays 4 (charset)",
        lambda sent: mail(b"\x1b$B#4\x1b(B\n\n\x1b$B-!3t\x1b(B\n", "text/plain; charset=iso-2022-jp", "7bit"),
    ),
    Case("typed", "a move, and further down that it waits", "offers 4", bare("Hi,\n\n4\n\nhold on, I'll write again.")),
    Case(
        "typed",
        "a move in Japanese, with the word behind its number",
        "offers 4",
        bare("こんにちは\n\n4番でお願いします"),
    ),
    Case("automatic", "a person who thanks and is ready", "offers 4", bare("Thank you for your mail, I'm ready:\n4")),
    Case("automatic", "a person who thanks in German", "offers 4", bare("Dank für Ihre Nachricht! Ich bin dran.\n4")),
    Case("automatic", "a program that thanks", NOT_ANSWERED, bare("Thank you for your mail. I am currently away.\n4")),
    Case(
        "automatic",
        "a program that thanks in German",
        NOT_ANSWERED,
        bare("Vielen Dank für Ihre Nachricht. Ich bin bis 4. Mai im Urlaub.\n4"),
    ),
    *(
        Case("automatic", f"a subject in {language}", NOT_ANSWERED, automatic(f"{subject}: Re: x"))
        for language, subject in (
            ("Greek", "Αυτόματη απάντηση"),
            ("Hebrew", "תשובה אוטומטית"),
            ("Arabic", "رد تلقائي"),
            ("Croatian", "Automatski odgovor"),
            ("Ukrainian", "Автоматична відповідь"),
            ("Chinese", "自动答复"),
            ("Japanese", "自動応答"),
            ("Korean", "자동 응답"),
            ("Thai", "ตอบกลับอัตโนมัติ"),
            ("the language of Sieve", "Auto"),
        )
    ),
)
