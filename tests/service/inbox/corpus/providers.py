"""Headers of the shapes in which mail providers deliver a mail: all addresses, hosts of senders and
signatures are made up.

The order of the fields, who is named in them and how their results are written are those of public
examples; ``seen_in`` says which. Delta Chat's folder of results by provider is
https://github.com/deltachat/deltachat-core-rust, test-data/message/dkimchecks-2022-09-28.
"""

from __future__ import annotations

from dataclasses import dataclass

DELTA = "Delta Chat's folder of results by provider"
SENDER = "ada@players.example"
"""Whoever wrote the mails, at a domain that publishes DMARC and signs by DKIM."""


@dataclass(frozen=True)
class Provider:
    """How a provider writes what it found out: ``relay`` is the setting to trust it by, empty where
    there is none; ``received`` the field of the server that took the mail, above or below
    ``fields``, which tell of a mail that passed; ``recipient`` the field of delivery, if it writes
    one. ``plain`` tells of a mail without DKIM, at a domain without DMARC.
    """

    name: str
    relay: str
    fields: str
    plain: str
    received: str
    seen_in: str
    recipient: str = ""
    is_above: bool = False

    def header(self, to: str, passed: bool = True, *brought: str) -> bytes:
        """The header of a mail to ``to``; ``brought`` are fields that the sender wrote."""
        written = self.fields if passed else self.plain
        own = (self.received, written) if self.is_above else (written, self.received)
        lines = [
            "Return-Path: <ada@players.example>",
            *([f"{self.recipient}: {to}"] if self.recipient else []),
            *own,
            *brought,
            "From: Ada <ada@players.example>",
            f"To: Overland <{to}>",
            "Subject: Re: Your turn",
            "Message-ID: <1@players.example>",
        ]
        return "\n".join(line for line in lines if line).replace("\n", "\r\n").encode() + b"\r\n\r\n"


GMAIL = Provider(
    "Gmail",
    "mx.google.com",
    """\
ARC-Authentication-Results: i=1; mx.google.com;
       dkim=pass header.i=@players.example header.s=s1 header.b=PJxg1eJM;
       spf=pass (google.com: domain of ada@players.example designates 192.0.2.7 as permitted sender)
       smtp.mailfrom=ada@players.example;
       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=players.example
Authentication-Results: mx.google.com;
       dkim=pass header.i=@players.example header.s=s1 header.b=PJxg1eJM;
       spf=pass (google.com: domain of ada@players.example designates 192.0.2.7 as permitted sender)
       smtp.mailfrom=ada@players.example;
       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=players.example""",
    """\
Authentication-Results: mx.google.com;
       spf=neutral (google.com: 192.0.2.7 is neither permitted nor denied by best guess record for domain of
       ada@players.example) smtp.mailfrom=ada@players.example""",
    """\
Received: from mail.players.example (mail.players.example. [192.0.2.7])
        by mx.google.com with ESMTPS id a1; Fri, 27 Nov 2026 10:00:00 -0800 (PST)""",
    DELTA,
    "Delivered-To",
)
FASTMAIL = Provider(
    "Fastmail",
    "*.messagingengine.com",
    """\
Authentication-Results: mx6.messagingengine.com;
    x-csa=none;
    x-me-sender=none;
    x-ptr=pass smtp.helo=mail.players.example
      policy.ptr=mail.players.example
Authentication-Results: mx6.messagingengine.com;
    bimi=skipped (DMARC Policy is not at enforcement)
Authentication-Results: mx6.messagingengine.com;
    arc=none (no signatures found)
Authentication-Results: mx6.messagingengine.com;
    dkim=pass (2048-bit rsa key sha256) header.d=players.example
      header.i=@players.example header.b=hr44hXYS header.a=rsa-sha256
      header.s=s1 x-bits=2048;
    dmarc=pass policy.published-domain-policy=none
      policy.applied-disposition=none policy.evaluated-disposition=none
      (p=none,d=none,d.eval=none) policy.policy-from=p
      header.from=players.example;
    iprev=pass smtp.remote-ip=192.0.2.7 (mail.players.example);
    spf=pass smtp.mailfrom=ada@players.example
      smtp.helo=mail.players.example""",
    """\
Authentication-Results: phl-mx-08.messagingengine.com;
    x-csa=none;
    x-me-sender=none;
    x-ptr=pass smtp.helo=mail.players.example
      policy.ptr=mail.players.example
Authentication-Results: phl-mx-08.messagingengine.com;
    bimi=skipped (DMARC did not pass)
Authentication-Results: phl-mx-08.messagingengine.com;
    arc=none (no signatures found)
Authentication-Results: phl-mx-08.messagingengine.com;
    dkim=none (no signatures found);
    dmarc=none policy.published-domain-policy=none
      policy.applied-disposition=none policy.evaluated-disposition=none
      (p=none,d=none,d.eval=none) policy.policy-from=p
      header.from=players.example;
    iprev=pass smtp.remote-ip=192.0.2.7
      (mail.players.example);
    spf=none smtp.mailfrom=ada@players.example
      smtp.helo=mail.players.example""",
    """\
Received: from mail.players.example (mail.players.example [192.0.2.7])
    by mx6.messagingengine.com (Postfix) with ESMTPS id 2
    for <overland@fastmail.example>; Fri, 27 Nov 2026 13:00:00 -0500 (EST)""",
    f"{DELTA}; for the fields around them, published sources of mails delivered there",
    "X-Delivered-To",
)
OUTLOOK = Provider(
    "Outlook",
    "",
    """\
Authentication-Results: spf=pass (sender IP is 192.0.2.7)
 smtp.mailfrom=players.example; dkim=pass (signature was verified)
 header.d=players.example;dmarc=pass action=none header.from=players.example;compauth=pass
 reason=100""",
    """\
Authentication-Results: spf=none (sender IP is 192.0.2.7)
 smtp.mailfrom=players.example; dkim=none (message not signed)
 header.d=none;dmarc=none action=none header.from=players.example;compauth=fail
 reason=001""",
    """\
Received: from mail.players.example (192.0.2.7) by
 AM6EUR05FT012.mail.protection.outlook.com (10.233.240.1) with Microsoft SMTP
 Server id 15.20.1 via Frontend Transport; Fri, 27 Nov 2026 18:00:00 +0000""",
    f"{DELTA}; Microsoft's page about anti-spam message headers",
)
ICLOUD = Provider(
    "iCloud",
    "*.icloud.com",
    """\
Authentication-Results: bimi.icloud.com; bimi=skipped reason="insufficient dmarc"
X-ARC-Info: policy=fail; arc=none
Authentication-Results: arc.icloud.com; arc=none
Authentication-Results: dmarc.icloud.com; dmarc=pass header.from=players.example
X-DMARC-Info: pass=pass; dmarc-policy=none; s=r1; d=r1; pdomain=players.example
Authentication-Results: dkim-verifier.icloud.com;
\tdkim=pass (2048-bit key) header.d=players.example header.i=@players.example header.b=HYnahEVt
Authentication-Results: spf.icloud.com; spf=pass (spf.icloud.com: domain of ada@players.example designates
 192.0.2.7 as permitted sender) smtp.mailfrom=ada@players.example""",
    """\
Authentication-Results: bimi.icloud.com; bimi=skipped reason="insufficient dmarc"
Authentication-Results: dmarc.icloud.com; dmarc=none header.from=players.example
Authentication-Results: dkim-verifier.icloud.com; dkim=none
Authentication-Results: spf.icloud.com; spf=none (spf.icloud.com: ada@players.example does not designate
 permitted sender hosts) smtp.mailfrom=ada@players.example""",
    """\
Received: from mail.players.example (mail.players.example [192.0.2.7])
\tby st43p00im-zteg1.me.com (Postfix) with ESMTPS id 3
\tfor <overland@icloud.example>; Fri, 27 Nov 2026 18:00:00 +0000 (UTC)""",
    DELTA,
    is_above=True,
)
PROTON = Provider(
    "Proton",
    "*.protonmail.ch",
    """\
Authentication-Results: mail.protonmail.ch; arc=none smtp.remote-ip=192.0.2.7
Authentication-Results: mail.protonmail.ch; dkim=pass (Good 2048 bit
    rsa-sha256 signature) header.d=players.example header.a=rsa-sha256
Authentication-Results: mail.protonmail.ch; dmarc=pass (p=none dis=none)
 header.from=players.example
Authentication-Results: mail.protonmail.ch; spf=pass smtp.mailfrom=players.example""",
    """\
Authentication-Results: mail.protonmail.ch; dmarc=none (p=none dis=none)
 header.from=players.example
Authentication-Results: mail.protonmail.ch; spf=none smtp.mailfrom=players.example
Authentication-Results: mail.protonmail.ch; arc=none smtp.remote-ip=192.0.2.7
Authentication-Results: mail.protonmail.ch; dkim=none""",
    """\
Received: from mail.players.example (mail.players.example [192.0.2.7])
 by mailin.protonmail.ch (Postfix) with ESMTPS id 4
 for <overland@proton.example>; Fri, 27 Nov 2026 18:00:00 +0000 (UTC)""",
    "sources of mails that people published, with the field of the server above and below the results",
    "X-Original-To",
    is_above=True,
)
POSTEO = Provider(
    "Posteo",
    "*.posteo.de",
    """\
Authentication-Results: posteo.de; dmarc=pass (p=none dis=none) header.from=players.example
Authentication-Results: posteo.de; spf=pass smtp.mailfrom=players.example
Authentication-Results: posteo.de;
\tdkim=pass (2048-bit key) header.d=players.example header.i=@players.example header.b=SJjarA70;
\tdkim-atps=neutral""",
    """\
Authentication-Results: posteo.de; dmarc=none (p=none dis=none) header.from=players.example
Authentication-Results: posteo.de; spf=none smtp.mailfrom=players.example""",
    """\
Received: from mail.players.example (mail.players.example [192.0.2.7])
\tby mx01.posteo.de (Postfix) with ESMTPS id 5
\tfor <overland@posteo.example>; Fri, 27 Nov 2026 19:00:00 +0100 (CET)""",
    DELTA,
    "Delivered-To",
)
GMX = Provider(
    "GMX",
    "gmx.net",
    "Authentication-Results:  gmx.net; dkim=pass header.i=@players.example",
    "Authentication-Results: gmx.net; dkim=none",
    """\
Received: from mail.players.example ([192.0.2.7]) by mx-ha.gmx.net
 (mxgmx103 [198.51.100.5]) with ESMTPS (Nemesis) id 6
 for <overland@gmx.example>; Fri, 27 Nov 2026 19:00:00 +0100""",
    "sources of mails that people published, and tests of Delta Chat",
)
PROVIDERS = (GMAIL, FASTMAIL, OUTLOOK, ICLOUD, PROTON, POSTEO, GMX)
