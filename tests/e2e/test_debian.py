"""The page docs/debian.md, typed by root on a bare Debian: every command, in its order.

The machine has systemd and what its packages install; a Dovecot is the provider's.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from service.config import load
from tests import missing
from tests.e2e.provider import RELAY, Provider, provider, text_of
from tools.debian import Debian, debian, typed_blocks, why_forbidden, why_missing
from tools.dovecot import PASSWORD
from tools.dovecot import why_missing as why_no_dovecot

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "debian.md").read_text()
DOMAIN, OURS, JOIN = "overland.example", "overland@mail.example", "overland+join@mail.example"
OLD, NEW = "0.1.0", "0.2.0"
TRUST = "cp {} /usr/local/share/ca-certificates/{}.crt; update-ca-certificates"
AUTHORITY = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
STANDS_IN = {
    # No authority reaches the machine: Caddy is its own, and trusted as one of the world is.
    "systemctl reload caddy\n": "sed -i '1i {\\nlocal_certs\\n}' /etc/caddy/Caddyfile; systemctl reload caddy\n"
    f"until test -f {AUTHORITY}; do sleep 1; done; {TRUST.format(AUTHORITY, 'caddy')}\n",
}
"""Commands that are typed otherwise than on the page, and why."""
LATER = """
from alembic import op
revision, down_revision, branch_labels, depends_on = "9999", "{last}", None, None
def upgrade() -> None:
    op.execute("CREATE TABLE later (number INTEGER)")
"""
"""A migration of the version after this one."""


@dataclass(slots=True)
class Walk:
    """Types the page on a machine; ``blocks`` are those that are left."""

    machine: Debian
    blocks: list[str] = field(default_factory=typed_blocks)
    transcript: list[str] = field(default_factory=list)

    def type(self, begin: str, *, stdin: str = "") -> str:
        """Types the next block, which has to contain ``begin``; returns what was answered."""
        block = self.blocks.pop(0)
        assert begin in block
        script = block
        for shown, typed in STANDS_IN.items():
            script = script.replace(shown, typed)
        online = "apt-get install" in block or "/pip install" in block
        done = self.machine.run(script, online=online, stdin=stdin)
        self.transcript.append("".join(f"# {line}\n" for line in block.splitlines()) + done.stdout)
        assert done.returncode == 0, f"{self.transcript[-1]}\n{self.machine.run('journalctl --lines=60').stdout}"
        return done.stdout

    def edit(self, name: str, *changes: tuple[str, str]) -> None:
        """Edits a file of the machine as a host does."""
        file = self.machine.root / name
        text = file.read_text()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        file.write_text(text)


def unpack(machine: Debian, version: str) -> Path:
    """Puts the sources of a version onto the machine: these, and of a later one, these with one
    more migration.
    """
    folder = machine.unpack(version)
    project = folder / "pyproject.toml"
    project.write_text(project.read_text().replace(f'version = "{OLD}"', f'version = "{version}"'))
    if version != OLD:
        migrations = folder / "service/store/migrations/versions"
        last = max(file.name[1:5] for file in migrations.glob("m*.py"))
        (migrations / "m9999_later.py").write_text(LATER.format(last=last))
    return folder


def play(walk: Walk, mail: Provider) -> None:
    """The first match of a player who has only mails: Ann joins, begins it, and plays."""
    mail.write("ann@players.example", JOIN, "join Ann\n")
    came = [mail.next()]
    assert "Welcome, Ann" in text_of(came[0])
    mail.answer(came[0], "new ozeanien\n")
    came += [mail.next(), mail.next()]  # that it has begun, and whose turn it is: in any order
    assert any("It has begun" in text_of(each) for each in came)
    [turn] = [each for each in came[1:] if "It has begun" not in text_of(each)]
    assert "YOUR " in text_of(turn)
    mail.answer(turn, "1\n")
    came.append(mail.next())
    assert "sails" in text_of(came[-1])
    walk.transcript += [f"\n{each['Subject']}\n\n{text_of(each)[:1200]}\n" for each in came]


def test_the_settings_of_the_kit_are_those_of_the_service(tmp_path: Path) -> None:
    lines = (ROOT / "docs/debian/overland.env").read_text().splitlines()
    given = dict(re.findall(r"^#?(OVERLAND_\w+)='(.*)'$", "\n".join(lines), re.MULTILINE))
    settings = load(given | {"OVERLAND_DATA_DIR": str(tmp_path)})
    assert (settings.in_production, settings.trusted_proxies) == (True, 1)
    assert unquote(str(urlsplit(settings.mail_url).password)) == "p@ss/word 1"


def test_the_page_copies_every_file_of_the_kit() -> None:
    copied = " ".join(re.findall(r"docs/debian/(\S+)", PAGE))
    for file in (ROOT / "docs/debian").iterdir():
        assert file.name in copied or f"*{file.suffix}" in copied.split(), file


@pytest.mark.parametrize("variable", ["OVERLAND_DATABASE_URL", "OVERLAND_DATABASE_URL_FILE"])
def test_a_dump_is_named_when_it_is_whole_and_its_command_has_no_password(tmp_path: Path, variable: str) -> None:
    url = "postgresql+psycopg://over%20land:p%40ss@db.example:5433/name?sslmode=require"
    (tmp_path / "url").write_text(f"{url}\n")
    given = url if variable == "OVERLAND_DATABASE_URL" else str(tmp_path / "url")
    backups, script = tmp_path / "backups", tmp_path / "overland-backup"
    backups.mkdir()
    script.write_text(
        (ROOT / "docs/debian/overland-backup").read_text().replace("/var/lib/overland-backups", f"{backups}")
    )
    (tmp_path / "pg_dump").write_text('#!/bin/sh\necho "$PGPASSWORD $3" > "${2#--file=}"\nexit "$STATUS"\n')
    (tmp_path / "pg_dump").chmod(0o755)
    environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}", variable: given}
    assert subprocess.run(["sh", script], env={**environ, "STATUS": "1"}, check=False).returncode == 1
    assert list(backups.glob("*.dump")) == []
    assert subprocess.run(["sh", script], env={**environ, "STATUS": "0"}, check=False).returncode == 0
    [dump] = backups.glob("*.dump")
    assert dump.read_text() == "p@ss postgresql://over%20land@db.example:5433/name?sslmode=require\n"


def test_the_command_of_the_operator_reads_what_systemd_reads(tmp_path: Path) -> None:
    given = b"OVERLAND_MODE='production'\r\n\r\n# who\r\nOVERLAND_MAIL_FROM='A $B <a@b.example>'\r\n"
    (tmp_path / "overland.env").write_bytes(given)
    script = (ROOT / "docs/debian/overland").read_text().replace("/etc/overland", f"{tmp_path}")
    (tmp_path / "script").write_text(script.replace("cd /var/lib/overland", "cd /"))
    (tmp_path / "runuser").write_text('#!/bin/sh\necho "$OVERLAND_MODE; $OVERLAND_MAIL_FROM; $OVERLAND_PORT; $5"\n')
    (tmp_path / "runuser").chmod(0o755)
    environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "OVERLAND_PORT": "9000", "OVERLAND_MODE": "development"}
    said = subprocess.run(["sh", tmp_path / "script", "check"], env=environ, capture_output=True, text=True, check=True)
    assert said.stdout == "development; A $B <a@b.example>; 9000; check\n"


@pytest.mark.deep
@pytest.mark.timeout(3600)  # it installs whole systems
def test_every_command_of_the_page_leads_from_a_bare_debian_to_a_match() -> None:
    """And through all that comes later. On the older Debian `overland bench-small` installs it, and
    plays every game (``tests/tools/bench/test_small.py``).
    """
    if reason := why_missing() or why_no_dovecot():
        missing.skip(reason)
    if reason := why_forbidden():
        missing.forbidden(reason)
    with debian("trixie", DOMAIN) as machine, provider(OURS) as mail:
        walk = Walk(machine)
        to_a_match(walk, mail)
        after_the_first_match(walk)
    print(*walk.transcript, sep="\n")  # what a host sees: pytest -s
    assert walk.blocks == []


def to_a_match(walk: Walk, mail: Provider) -> None:
    """Types the page up to the first match."""
    machine = walk.machine
    machine.hand_on(993, mail.dovecot.port)
    machine.hand_on(587, mail.submission)
    for version in (OLD, NEW):
        unpack(machine, version)
    walk.type("apt-get install --yes python3-venv")
    shutil.copy(mail.certificate, machine.root / "root/provider")
    assert machine.run(TRUST.format("/root/provider", "provider")).returncode == 0
    walk.type("install -D")
    encoded = walk.type("quote(input()", stdin=f"{PASSWORD}\n").strip()
    walk.edit(
        "etc/overland/overland.env",
        ("p%40ss%2Fword%201", encoded),
        ("@smtp.mail.example", "@localhost"),
        ("@imap.mail.example", "@localhost"),
    )
    walk.type("systemctl enable --now overland\n")
    walk.type("cp docs/debian/Caddyfile")
    with ThreadPoolExecutor() as beside:
        typed = beside.submit(walk.type, "overland check --mail you@example.org")
        mail.answer(mail.next(), "It came.\n")
        assert f"OVERLAND_TRUSTED_RELAY={RELAY}" in typed.result()
    walk.edit("etc/overland/overland.env", ("TRUSTED_RELAY=''", f"TRUSTED_RELAY='{RELAY}'"))
    walk.type("systemctl restart overland\n")
    play(walk, mail)


def after_the_first_match(walk: Walk) -> None:
    """Types the rest of it: backups, a new version and the way back, PostgreSQL, another proxy."""
    machine = walk.machine
    walk.type("overland-backup.timer")
    walk.type("overland restore")
    walk.type("/opt/overland/0.2.0/bin/pip")
    walk.type("ln -sfn 0.2.0")
    assert "0.2.0" in machine.run("readlink /opt/overland/current").stdout
    assert machine.run("systemctl start overland-backup").returncode == 0, "a night passes"
    walk.type("overland restore --replace")
    walk.type("apt-get install --yes postgresql")
    walk.type("overland move --to")
    walk.type("pg_restore")
    before = 'ln -sfn "$(ls /var/lib/overland-backups/*.* | tail -n 1)" /opt/overland/before-0.2.0'
    assert machine.run(before).returncode == 0
    walk.type("RENAME TO overland_newer")
    walk.type("apt-get install --yes nginx")
    names = f"-subj /CN={DOMAIN} -addext subjectAltName=DNS:{DOMAIN}"
    live = f"/etc/letsencrypt/live/{DOMAIN}"
    made = f"openssl req -x509 -newkey rsa:2048 -nodes {names} -keyout {live}/privkey.pem -out {live}/fullchain.pem"
    assert machine.run(f"mkdir -p {live}; {made}; {TRUST.format(f'{live}/fullchain.pem', 'nginx')}").returncode == 0
    walk.type("cp docs/debian/nginx.conf")
    page = machine.run(f"curl --silent --include --compressed https://{DOMAIN}/sign-in").stdout.lower()
    assert 'name="nonce"' in page
    assert "content-encoding" not in page, "the length of a compressed page would tell of its secrets"
