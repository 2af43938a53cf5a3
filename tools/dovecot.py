"""A Dovecot of one's own, on ports of the loopback: the mailboxes of a provider in tests and tools.

It serves IMAP with TLS from the beginning (``port``) and with STARTTLS (``plain_port``), and takes
mail by LMTP (``lmtp_port``), for ``user@domain`` and ``user+anything@domain`` alike; a Postfix that
has the ``route`` stands in front of it, and asks it who may send (``auth_port``). Its certificate
is trusted by whoever has ``SSL_CERT_FILE`` set to ``certificate``.

It needs Debian's packages dovecot-imapd, dovecot-lmtpd and openssl; no root.
"""

from __future__ import annotations

import base64
import grp
import itertools
import os
import pwd
import shutil
import smtplib
import socket
import subprocess
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from tools.mail_server import OwnMailServer
from tools.waiting import until

PASSWORD: Final = "a password: 100 % @/+"
"""Of all its users; everything in it has to be encoded in a URL."""
HOST: Final = "localhost"
"""The name in its certificate."""
IDLE: Final = "IDLE"
MOVE: Final = "MOVE"
UIDPLUS: Final = "UIDPLUS"
SPECIAL_USE: Final = "SPECIAL-USE"
EVERYTHING: Final = frozenset({IDLE, MOVE, UIDPLUS, SPECIAL_USE})
"""The capabilities that can be left out."""
EVERY_RIGHT: Final = "lrwstipekxa"
PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"
_CONF: Final = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/certificate.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = yes
auth_mechanisms = {mechanisms}
auth_verbose = yes
auth_failure_delay = 0
auth_username_format = %Lu
default_login_user = {login_user}
default_internal_user = {internal_user}
default_internal_group = {internal_group}
recipient_delimiter = +
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:~/Maildir
mail_max_userip_connections = 100
mail_plugins = acl
imap_capability = IMAP4rev1 SASL-IR LITERAL+ ID ENABLE NAMESPACE UNSELECT ESEARCH {capabilities}
imap_idle_notify_interval = 5s
lmtp_hdr_delivery_address = final
lmtp_save_to_detail_mailbox = no
protocol lmtp {{
  postmaster_address = postmaster@localhost
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%Lu {folder}/users
}}
userdb {{
  driver = static
  args = uid={mail_user} gid={mail_group} home={folder}/mail/%Lu
}}
plugin {{
  acl = vfile
  acl_cache_secs = 0
}}
namespace inbox {{
  inbox = yes
  separator = {separator}
  prefix = {prefix}
  mailbox {junk} {{
    auto = create
    special_use = \\Junk
  }}
}}
service auth {{
  inet_listener {{
    port = {auth_port}
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {plain_port}
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service lmtp {{
  chroot =
  inet_listener lmtp {{
    port = {lmtp_port}
  }}
}}
"""
_CERTIFY: Final = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500".split()
_made: Final = itertools.count(1)


class NoDovecot(RuntimeError):
    """There is no Dovecot here that can be started; the message says why."""


def why_missing() -> str:
    """Why no Dovecot can be started here; empty where one can."""
    programs = [name for name in ("dovecot", "openssl") if shutil.which(name, path=PATH) is None]
    modules = [name for name in ("imap", "lmtp") if not Path("/usr/lib/dovecot", name).exists()]
    if not programs and not modules:
        return ""
    return f"Missing: {', '.join(programs + modules)}: apt-get install dovecot-imapd dovecot-lmtpd openssl."


class Dovecot(OwnMailServer):
    """Mailboxes of ``users``, whole addresses in lower case, that can be reached from its
    construction until ``close``; all have ``PASSWORD``. Raises ``NoDovecot``.

    ``junk`` is the name of the folder for junk mail, which is told by its use, too, where the
    server tells uses; ``prefix``, such as ``INBOX.``, begins the names of all other folders.

    It may be stopped or killed and started again, also with other ``capabilities`` or
    ``mechanisms`` of authentication, which are read at the start; mails are kept meanwhile.
    """

    def __init__(
        self,
        users: Iterable[str],
        capabilities: Collection[str] = EVERYTHING,
        mechanisms: Collection[str] = ("plain", "login"),
        junk: str = "Spam",
        prefix: str = "",
    ) -> None:
        if reason := why_missing():
            raise NoDovecot(reason)
        super().__init__("Dovecot", NoDovecot)
        self.port, self.plain_port, self.lmtp_port, self.auth_port = (self._own_port() for _ in range(4))
        self.users, self.capabilities, self.mechanisms = tuple(users), capabilities, mechanisms
        self.junk, self.prefix = junk, prefix
        try:
            self._prepare()
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    def certificate(self) -> Path:
        """The file of its certificate, which it has signed itself."""
        return self.folder / "certificate.pem"

    @property
    def key(self) -> Path:
        """The file of the key of its certificate."""
        return self.folder / "key.pem"

    @property
    def route(self) -> str:
        """Where a Postfix sends mail for its users."""
        return f"lmtp:inet:127.0.0.1:{self.lmtp_port}"

    def url(self, user: str, *, password: str = PASSWORD, folder: str = "INBOX", starttls: bool = False) -> str:
        """The value for OVERLAND_MAIL_IN by which a service takes mail from a user's mailbox."""
        scheme, port = ("imap+starttls", self.plain_port) if starttls else ("imaps", self.port)
        return f"{scheme}://{quote(user, safe='')}:{quote(password, safe='')}@{HOST}:{port}/{quote(folder)}"

    def start(self) -> None:
        """Starts it, and waits until all ports answer. Raises ``NoDovecot``."""
        self._configure()
        self._launch(
            [str(shutil.which("dovecot", path=PATH)), "-F", "-c", str(self.folder / "dovecot.conf")], {"PATH": PATH}
        )

    def deliver(self, recipient: str, raw: bytes, sender: str = "ann@players.example") -> None:
        """Delivers a mail to one of its users, whose address may have a plus and more: what a
        provider does that took it from the world.
        """
        with smtplib.LMTP("127.0.0.1", self.lmtp_port) as lmtp:
            lmtp.sendmail(sender, [recipient], raw)

    def put(self, user: str, mails: Iterable[bytes], suffix: str = "") -> None:
        """Puts mails into the inbox of a user as they are, in this order: quick for thousands. It
        hands out none whose ``suffix`` has a size that it has not, such as ``,S=5000``.
        """
        new = self.folder / "mail" / user / "Maildir" / "new"
        owner = new.stat()
        for raw in mails:
            file = new / f"{1_700_000_000 + next(_made)}.M{next(_made)}.{socket.gethostname()}{suffix}"
            file.write_bytes(raw)
            os.chown(file, owner.st_uid, owner.st_gid)

    def renumber(self, user: str, uidvalidity: int, folder: str = "INBOX") -> None:
        """Gives a folder of a user another UIDVALIDITY."""
        self._doveadm("mailbox", "update", "-u", user, "--uid-validity", str(uidvalidity), folder)

    def allow(self, user: str, rights: str) -> None:
        """Gives a user these rights to the inbox (RFC 4314), such as ``lr`` to read it."""
        file = self.folder / "mail" / user / "Maildir" / "dovecot-acl"
        file.write_text(f"owner {rights}\n")
        file.chmod(0o644)

    def set_password(self, password: str) -> None:
        """Gives all users another password, from the next log-in on."""
        encoded = base64.b64encode(password.encode()).decode()
        file = self.folder / "users"
        file.write_text("".join(f"{user}:{{PLAIN.b64}}{encoded}\n" for user in self.users), encoding="utf-8")
        file.chmod(0o644)
        if self._master is not None:
            until(lambda: self._lets_in(password), "Dovecot has read the new password")

    def _prepare(self) -> None:
        self.folder.chmod(0o755)
        (self.folder / "mail").mkdir()
        owner = pwd.getpwnam("dovecot") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        for user in self.users:
            home = self.folder / "mail" / user
            for folder in (home, home / "Maildir", *(home / "Maildir" / name for name in ("cur", "new", "tmp"))):
                folder.mkdir()
        for path in (self.folder / "mail", *(self.folder / "mail").rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid)
        self.set_password(PASSWORD)
        names = f"subjectAltName=DNS:{HOST},IP:127.0.0.1"
        files = ["-keyout", str(self.key), "-out", str(self.certificate)]
        subprocess.run(
            [*_CERTIFY, "-subj", f"/CN={HOST}", "-addext", names, *files],
            check=True,
            capture_output=True,
        )
        self.certificate.chmod(0o644)

    def _configure(self) -> None:
        root, me = os.geteuid() == 0, pwd.getpwuid(os.geteuid()).pw_name
        group = "dovecot" if root else grp.getgrgid(os.getegid()).gr_name
        text = _CONF.format(
            folder=self.folder,
            port=self.port,
            plain_port=self.plain_port,
            lmtp_port=self.lmtp_port,
            auth_port=self.auth_port,
            mechanisms=" ".join(self.mechanisms),
            capabilities=" ".join(sorted(self.capabilities)),
            junk=self.junk,
            separator=self.prefix[-1:] or "/",
            prefix=self.prefix,
            login_user="dovenull" if root else me,
            internal_user="dovecot" if root else me,
            internal_group=group,
            mail_user="dovecot" if root else me,
            mail_group=group,
        )
        (self.folder / "dovecot.conf").write_text(text, encoding="utf-8")

    def _doveadm(self, *arguments: str) -> str:
        return subprocess.run(
            ["doveadm", "-c", str(self.folder / "dovecot.conf"), *arguments],
            env={"PATH": PATH},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def _lets_in(self, password: str) -> bool:
        with suppress(subprocess.CalledProcessError):
            return bool(self._doveadm("auth", "test", self.users[0], password))
        return False

    def _answers(self) -> bool:
        for port, greeting in ((self.port, b""), (self.plain_port, b"* OK"), (self.lmtp_port, b"220")):
            try:
                with socket.create_connection(("127.0.0.1", port), 5) as connection:
                    if greeting and not connection.recv(200).startswith(greeting):
                        return False
            except OSError:
                return False
        return True
