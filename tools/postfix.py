"""A Postfix of one's own, on ports of the loopback: the relay of a service in tests and tools.

Mail for the service's ``domain`` goes to the service (LMTP, or SMTP), all other mail to a server
that stands for the mailboxes of the world. At ``port`` it relays; at ``world_port`` it takes mail
as the host that the world knows (its MX), and writes `Authentication-Results` (RFC 8601) on top, as
a relay that checks SPF: the sender of the envelope passes, unless its domain is `FORGED`.

It needs root, as every Postfix does, and Debian's package postfix.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import shutil
import socket
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from tools.mail_server import UMASK, OwnMailServer

AUTHSERV: Final = "relay.example"
"""The name by which the relay signs its results."""
FORGED: Final = "forged.example"
"""Senders of this domain fail SPF and DMARC."""
UNPROVEN: Final = "unproven.example"
"""Of senders of this domain nothing is known."""
DAEMONS: Final = Path("/usr/lib/postfix/sbin")
START_SECONDS: Final = 60.0
QUEUES: Final = {
    **dict.fromkeys(("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming"), 0o700),
    **dict.fromkeys(("private", "saved", "trace"), 0o700),
    "maildrop": 0o730,
    "public": 0o710,
}
"""The folders of its queue that belong to the user postfix, and their permissions; those that a
group may enter belong to postdrop.
"""
_MAIN: Final = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
command_directory = /usr/sbin
daemon_directory = {daemons}
mail_owner = postfix
setgid_group = postdrop
myhostname = {authserv}
mydestination =
local_recipient_maps =
local_transport = error:no mailboxes here
alias_maps =
alias_database =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
recipient_delimiter = +
relay_domains = {domain}
relayhost = [127.0.0.1]:{mailboxes}
transport_maps = texthash:{folder}/transport
disable_dns_lookups = yes
smtp_dns_support_level = disabled
smtputf8_enable = yes
smtputf8_autodetect_classes = sendmail, verify
minimal_backoff_time = 2s
maximal_backoff_time = 5s
queue_run_delay = 2s
smtp_destination_rate_delay = 0s
default_destination_concurrency_limit = 20
default_destination_concurrency_failed_cohort_limit = 0
message_size_limit = 52428800
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
notify_classes =
"""
_MASTER: Final = """\
127.0.0.1:{port} inet n - n - 20 smtpd
127.0.0.1:{world_port} inet n - n - 20 smtpd
  -o smtpd_sender_restrictions=check_sender_access,regexp:{folder}/results
{submission}pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - 20 smtp
relay unix - - n - 20 smtp
lmtp unix - - n - 20 lmtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
_SUBMISSION: Final = """\
127.0.0.1:{submission_port} inet n - n - 20 smtpd
  -o mynetworks=
  -o smtpd_tls_security_level=encrypt
  -o smtpd_tls_auth_only=yes
  -o smtpd_tls_cert_file={certificate}
  -o smtpd_tls_key_file={key}
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_sasl_type=dovecot
  -o smtpd_sasl_path=inet:127.0.0.1:{auth_port}
  -o smtpd_sender_login_maps=regexp:{folder}/owners
  -o smtpd_sender_restrictions=reject_sender_login_mismatch
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
  -o recipient_delimiter=
"""
_OWNERS: Final = {
    False: "/^([^+@]+)@([^@]+)$/ $1@$2\n",
    True: "/^([^+@]+)([+][^@]*)?@([^@]+)$/ $1@$3\n",
}
"""Who may send from which address, by whether plus-addresses are known."""
_RESULTS: Final = """\
/^(.+)@{forged}$/ PREPEND Authentication-Results: {authserv};
 spf=fail smtp.mailfrom=$1@{forged_text}; dmarc=fail header.from={forged_text}
/^(.+)@{unproven}$/ PREPEND Authentication-Results: {authserv}; none
/^(.+)@(.+)$/ PREPEND Authentication-Results: {authserv};
 spf=pass smtp.mailfrom=$1@$2; dmarc=pass header.from=$2
"""


class NoPostfix(RuntimeError):
    """There is no Postfix here that can be started; the message says why."""


@dataclass(frozen=True, slots=True)
class Routes:
    """Where the relay sends mail: for ``domain`` to ``service``, such as
    ``lmtp:inet:127.0.0.1:8025`` or ``smtp:[127.0.0.1]:8025``; all other mail to the SMTP server at
    port ``mailboxes`` of the loopback.
    """

    domain: str
    service: str
    mailboxes: int


@dataclass(frozen=True, slots=True)
class Submission:
    """How customers of a provider send: by STARTTLS with its certificate, logged in by the Dovecot
    at ``auth_port``, each from their own address, and with ``has_plus`` from its plus-addresses.
    """

    auth_port: int
    certificate: Path
    key: Path
    has_plus: bool


def why_missing() -> str:
    """Why no Postfix can be started here; empty where one can."""
    if os.geteuid() != 0:
        return "Postfix is started by root only."
    if shutil.which("postfix", path="/usr/sbin:/usr/bin:/sbin") is None or not DAEMONS.is_dir():
        return "There is no Postfix: apt-get install postfix postfix-pcre."
    known = subprocess.run(["/usr/sbin/postconf", "-m"], capture_output=True, text=True, check=False).stdout.split()
    return "" if "pcre" in known else "Postfix has no tables of the type pcre: apt-get install postfix-pcre."


class Postfix(OwnMailServer):
    """A relay, running from its construction until ``close``. Raises ``NoPostfix``.

    It may be stopped and started again; its queue is kept meanwhile.
    """

    def __init__(self, routes: Routes, submission: Submission | None = None) -> None:
        if reason := why_missing():
            raise NoPostfix(reason)
        super().__init__("Postfix", NoPostfix)
        self.port, self.world_port, self.submission_port = (self._own_port() for _ in range(3))
        try:
            self._configure(routes, submission)
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    def url(self) -> str:
        """The value for OVERLAND_MAIL_URL."""
        return f"smtp://127.0.0.1:{self.port}"

    def submission_url(self, user: str, password: str) -> str:
        """The same for a customer, where it has a ``Submission``."""
        return f"smtp+starttls://{quote(user, safe='')}:{quote(password, safe='')}@localhost:{self.submission_port}"

    def start(self) -> None:
        """Starts it, and waits until both ports answer. Raises ``NoPostfix``."""
        self._launch([str(DAEMONS / "master"), "-c", str(self.folder), "-d"], self._environ)

    def queued(self) -> int:
        """How many mails are in its queues.

        Each is a file that keeps its name when it moves from one queue to another: one that moves
        while they are read may be seen in both, or only the second time.
        """
        queues = [self.folder / "queue" / name for name in ("maildrop", "incoming", "active", "deferred")]
        return len({file.name for queue in queues * 2 for file in queue.rglob("*") if file.is_file()})

    def flush(self) -> None:
        """Has it try now what waits in its queue."""
        self._postfix("flush")

    @property
    def _environ(self) -> dict[str, str]:
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "MAIL_CONFIG": str(self.folder)}

    def _configure(self, routes: Routes, submission: Submission | None) -> None:
        self.folder.chmod(0o755)
        for name in ("queue", "queue/pid"):
            (self.folder / name).mkdir()
            (self.folder / name).chmod(0o755)
        owner, group = pwd.getpwnam("postfix"), grp.getgrnam("postdrop")
        folders = [("data", 0o700), *((f"queue/{name}", mode) for name, mode in QUEUES.items())]
        for name, mode in folders:
            (self.folder / name).mkdir()
            os.chown(self.folder / name, owner.pw_uid, group.gr_gid if mode & 0o070 else owner.pw_gid)
            (self.folder / name).chmod(mode)
        values = {
            "folder": self.folder,
            "daemons": DAEMONS,
            "authserv": AUTHSERV,
            "domain": routes.domain,
            "service": routes.service,
            "mailboxes": routes.mailboxes,
            "port": self.port,
            "world_port": self.world_port,
            "forged": re.escape(FORGED),
            "forged_text": FORGED,
            "unproven": re.escape(UNPROVEN),
            "submission": "",
        }
        owners = ""
        if submission is not None:
            customers = {**asdict(submission), "folder": self.folder, "submission_port": self.submission_port}
            values["submission"], owners = _SUBMISSION.format(**customers), _OWNERS[submission.has_plus]
        (self.folder / "owners").write_text(owners, encoding="utf-8")
        (self.folder / "owners").chmod(0o644)
        for file, text in (
            ("main.cf", _MAIN),
            ("master.cf", _MASTER),
            ("results", _RESULTS),
            ("transport", "{domain} {service}\n"),
        ):
            (self.folder / file).write_text(text.format(**values), encoding="utf-8")
            (self.folder / file).chmod(0o644)

    def _answers(self) -> bool:
        for port in (self.port, self.world_port):
            try:
                with socket.create_connection(("127.0.0.1", port), 5) as connection:
                    if not connection.recv(100).startswith(b"220"):
                        return False
            except OSError:
                return False
        return True

    def _postfix(self, command: str) -> None:
        done = subprocess.run(
            ["/usr/sbin/postfix", "-c", str(self.folder), command],
            env=self._environ,
            stdin=subprocess.DEVNULL,
            umask=UMASK,
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )
        if done.returncode != 0:
            raise NoPostfix(f"postfix {command}: {done.stderr or self.log[-2000:]}")
