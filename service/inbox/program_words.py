"""What mail programs write themselves, in the languages that they are translated to.

These are data: to teach the service a language, add its words here, and a mail to
``tests/service/inbox/corpus``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

FieldKind: TypeAlias = Literal["author", "sent", "to", "subject", "other"]
FIELDS: Final[Mapping[FieldKind, str]] = MappingProxyType(
    {
        "author": "from, de, da, von, van, från, fra, od, remitente, mittente, expéditeur, absender, от, от кого, від,"
        " lähettäjä, feladó, kimden, gönderen, de la, από, odesílatel, 发件人, 寄件者, 差出人, 보낸 사람, מאת, من",
        "sent": "sent, date, envoyé, envoyé le, inviato, inviato il, data, gesendet, datum, enviado, enviado el,"
        " enviado em, enviada, enviada em, fecha, verzonden, skickat, sendt, date d'envoi, data invio, отправлено,"
        " дата, надіслано, lähetetty, päivämäärä, päiväys, küldve, dátum, elküldve, gönderildi, gönderme tarihi, tarih,"
        " trimis, στάλθηκε, ημερομηνία, odesláno, odeslané, odoslané, wysłano, wysłane, изпратено, poslano, 发送时间,"
        " 日期, 寄件日期, 送信日時, 日付, 보낸 날짜, 날짜, נשלח, تاريخ",
        "to": "to, cc, reply-to, à, a, pour, an, kopie, antwort an, para, aan, till, til, copie, per, destinataire,"
        " кому, копия, копія, vastaanottaja, kopio, címzett, kime, către, προς, do, komu, dw, kopia, за, prima,"
        " 收件人, 抄送, 收件者, 宛先, 받는 사람, אל, إلى",
        "subject": "subject, objet, oggetto, betreff, asunto, onderwerp, assunto, ämne, emne, sujet, re, тема, aihe,"
        " tárgy, konu, subiect, θέμα, předmět, predmet, temat, относно, 主题, 主旨, 件名, 제목, נושא, الموضوع",
        "other": "importance, priority, priorité, wichtigkeit, priorità, attachments, pièces jointes, allegati,"
        " anlagen, важность, вложения, ważność, załączniki",
    }
)
"""The names of header fields above a quotation."""
WROTE: Final = (
    "пишет|написал\\S*|писал\\S*|пише|написав\\S*|написа|je napisao|je napisala|napísal\\S*|rašė|írta|yazd\\w|a scris"
    "|έγραψε|kirjutas"
)
"""The last word of an attribution that may begin with anything, as a regular expression."""
WROTE_UNSPACED: Final = "写道|寫道|写到|のメール|書きました|님이 작성|님이 쓴 글|כתב|כתבה|كتب"
"""The same where no blank need stand before it."""
AUTOMATIC_SUBJECTS: Final = (
    r"automat(?:ic|ed) (?:reply|response)|auto[- ]?(?:reply|response|responder)|out of (?:the )?office|ooo"
    r"|away from (?:my )?(?:mail|desk|office)|vacation (?:reply|notice|response)|on (?:vacation|leave|holiday)"
    r"|r[ée]ponse automatique|absence du bureau|(?:message|notification) d'absence|absent(?:e)? du bureau"
    r"|risposta automatica|fuori (?:sede|ufficio)|assente|assenza dall'ufficio"
    r"|automatische[s]? antwort|abwesenheits\w*|abwesend|nicht im b(?:ü|ue)ro"
    r"|respuesta autom[áa]tica|fuera de (?:la )?oficina|ausente de la oficina"
    r"|automatisch antwoord|afwezig\w*|niet aanwezig"
    r"|resposta autom[áa]tica|fora do escrit[óo]rio|ausente do escrit[óo]rio"
    r"|automatyczna odpowied[źz]|odpowied[źz] automatyczna|autoodpowied[źz]|poza biurem|nieobecno[śs][ćc]\w*"
    r"|autosvar|automatiskt? svar|fr[åa]nvaro\w*|frav[æa]r\w*|ikke p[åa] kontoret|inte p[åa] kontoret"
    r"|automaattinen vastaus|poissaolo\w*"
    r"|автоматический ответ|автоответ\w*|нет на рабочем месте|вне офиса"
    r"|automatick[áa] odpov[ěe][ďd]|mimo kancel[áa][řr]|automatikus v[áa]lasz|otomatik yan\wt|r[ăa]spuns automat"
    r"|自动回复|自動回覆|自動返信|不在通知|자동 회신|부재 중"
    r"|undeliver\w*|undelivered mail|mail delivery fail\w*|delivery status notification|returned mail|failure notice"
)
"""How the subject of a mail begins that a program wrote; or what comes in it behind a name."""
BEHIND_A_NAME: Final = (
    r"is (?:currently )?(?:out of (?:the )?office|on (?:vacation|leave|holiday)|away)|est absente?"
    r"|[èe] fuori (?:sede|ufficio)"
    r"|ist (?:nicht im b(?:ü|ue)ro|au(?:ß|ss)er haus|abwesend|im urlaub)|est[áa] fuera de la oficina|is afwezig"
    r"|est[áa] fora do escrit[óo]rio|jest (?:poza biurem|nieobecn[ya]|na urlopie)|[äa]r inte p[åa] kontoret"
    r"|er ikke p[åa] kontoret|on poissa|в отпуске|нет в офисе|je mimo kancel[áa][řr]"
)
ANSWERED_SUBJECTS: Final = (
    r"accepted|declined|tentative(?:ly accepted)?|accept[ée]e?|refus[ée]e?|provisoire|accettato|rifiutato|provvisorio"
    r"|zugesagt|angenommen|abgesagt|abgelehnt|mit vorbehalt|aceptad[ao]|rechazad[ao]|provisional|geaccepteerd"
    r"|geweigerd|afgewezen|voorlopig|aceit[eo]|aceitou|recusad[ao]|zaakceptowano|odrzucono|wst[ęe]pnie"
    r"|accepterat|avb[öo]jt|akseptert|accepteret|avsl[åa]tt|afvist|hyv[äa]ksytty|hyl[äa]tty|принято|отклонено"
    r"|под вопросом|p[řr]ijato|odm[íi]tnuto"
    r"|read|not read|lu|non lu|letto|non letto|gelesen|ungelesen|le[íi]do|no le[íi]do|gelezen|niet gelezen|lid[ao]"
    r"|przeczytano|l[äa]st|lest|l[æa]st|luettu|прочитано|прочтено|p[řr]e[čc]teno|recall|ricevuta di lettura"
    r"|lesebest[äa]tigung|accus[ée] de lecture|leesbevestiging|confirmaci[óo]n de lectura|read receipt"
)
"""How the subject of a calendar's answer, or of a receipt, begins, before a colon."""
FIRST_LINES: Final = (
    r"i (?:am|'m|will be) (?:currently |now )?(?:out of (?:the )?office|on (?:annual |maternity |parental )?leave"
    r"|away from (?:the office|my desk|my mail))"
    r"|(?:thank you|thanks) for (?:your (?:e-?mail|message|mail)|contacting|reaching out|writing to)\b.*"
    r"\b(?:i am|i'm|we are|away|office|soon as)"
    r"|this is an? (?:automat(?:ic|ed)|auto[- ]?generated)\b|(?:your|the) message (?:was"
    r"|has been) (?:read|received|deleted)"
    r"|.{2,60}\bhas (?:accepted|declined|tentatively accepted) (?:this|your|the) (?:invitation|meeting)"
    r"|je (?:suis|serai) (?:actuellement |momentan[ée]ment )?(?:absente? du|en (?:cong[ée]s?|vacances|d[ée]placement)"
    r"|absente? (?:jusqu|du bureau)|hors du bureau)|ceci est (?:un message|une r[ée]ponse) automatique"
    r"|(?:sono|sar[òo]) (?:attualmente |al momento )?(?:fuori (?:sede|ufficio)|assente (?:dall|fino)|in ferie)"
    r"|questa? [èe] una? (?:risposta|messaggio) automatic[ao]"
    r"|ich bin (?:derzeit |zurzeit |momentan |aktuell |bis .{1,30} |vom .{1,40} )?(?:nicht im b(?:ü"
    r"|ue)ro|au(?:ß|ss)er haus"
    r"|im urlaub|abwesend|nicht erreichbar)|dies ist eine automatis\w+ (?:antwort|nachricht|e-?mail)"
    r"|(?:vielen )?dank f(?:ü|ue)r ihre (?:e-?mail|nachricht)\b.*\b(?:bin|b(?:ü|ue)ro|erreich\w*)"
    r"|(?:actualmente )?(?:estoy|estar[ée]) (?:actualmente )?(?:fuera de la oficina|de vacaciones|ausente)"
    r"|[ée]st[ea] es una? (?:respuesta|mensaje) autom[áa]tic[ao]"
    r"|ik ben (?:momenteel |tot .{1,30} )?(?:afwezig|niet aanwezig|niet op kantoor|op vakantie|met verlof)"
    r"|dit is een automatisch\b"
    r"|(?:estou|estarei) (?:atualmente )?(?:fora do escrit[óo]rio|de f[ée]rias|ausente)"
    r"|esta [ée] uma resposta autom[áa]tica"
    r"|(?:jestem|przebywam|b[ęe]d[ęe]) (?:obecnie )?(?:na urlopie|poza biurem|nieobecn[ya])|to jest automatyczna"
    r"|jag [äa]r (?:f[öo]r n[äa]rvarande |just nu )?(?:inte p[åa] kontoret|p[åa] semester"
    r"|borta fr[åa]n kontoret|ledig till)"
    r"|jeg er (?:for tiden |i [øo]yeblikket |p[åa] )?(?:ikke p[åa] kontoret|ferie|ute av kontoret|bortreist)"
    r"|olen (?:t[äa]ll[äa] hetkell[äa] )?(?:poissa|lomalla)|t[äa]m[äa] on automaattinen"
    r"|(?:сейчас )?(?:я )?(?:сейчас )?(?:нахожусь )?(?:в отпуске|вне офиса|отсутствую)|меня (?:нет"
    r"|не будет) (?:в офисе|на)"
    r"|это автоматическ\w+|(?:aktu[áa]ln[ěe] )?jsem (?:mimo kancel[áa][řr]|na dovolen[ée])|toto je automatick[áa]"
)
"""How the first line of such a mail begins."""
