"""What the files about running say, against what the code does.

No container is started: there may be no engine to start it with.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from click import Context
from click.testing import CliRunner

from service.cli import COMMANDS, TOOLS, main
from service.config import VARIABLES, load
from tools.waiting import until
from workers.part import PARTS
from workers.valkey import answers, free_port, server_binary

ROOT = Path(__file__).parent.parent.parent
OTHERS = sorted(COMMANDS.keys() - {"run"})
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
OWN = [name for name in COMPOSE["services"] if name not in ("postgres", "valkey")]
GIVEN = {
    "OVERLAND_BASE_URL": "https://overland.example",
    "POSTGRES_PASSWORD": "letters1",
    "VALKEY_PASSWORD": "letters2",
    "OVERLAND_MAIL_URL": "smtp+starttls://me:pw@mail.example:587",
    "OVERLAND_MAIL_FROM": "Overland <overland@overland.example>",
}


ALIVE = ["--alive", "/tmp/alive"]
OF_COMPOSE = {"MODE", "DATA_DIR", "HOST", "PORT", "DATABASE_URL", "REDIS_URL", "LOG_FORMAT"}
"""Settings that compose.yaml makes itself, because its containers and volumes depend on them."""
PACKAGES = ("engine", "service", "workers")
OF_RUN = {"TURN_WORKERS", "NOTICE_WORKERS"}
"""Settings that only `overland run` reads: of a program in a container any number is started."""


def filled_in(text: str, environ: dict[str, str]) -> str:
    """A value of compose.yaml as Compose would fill it in from this environment."""
    return re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", lambda found: environ.get(found[1], found[2] or ""), text)


def dockerfile_lines() -> list[str]:
    joined = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip() and not line.startswith("#")]


@pytest.mark.parametrize("service", OWN)
def test_every_container_of_ours_gets_settings_that_the_service_takes(service: str, tmp_path: Path) -> None:
    environ = {
        name: filled_in(str(value), GIVEN) for name, value in COMPOSE["services"][service]["environment"].items()
    }
    settings = load(environ | {"OVERLAND_DATA_DIR": str(tmp_path)})
    assert settings.in_production
    assert settings.database_url == "postgresql://overland:letters1@postgres:5432/overland"
    assert settings.redis_url == "redis://:letters2@valkey:6379/0"
    assert settings.mail_url == GIVEN["OVERLAND_MAIL_URL"]


def test_compose_asks_for_all_it_cannot_know_and_the_example_names_it() -> None:
    required = set(re.findall(r"\$\{(\w+):\?", (ROOT / "compose.yaml").read_text()))
    assert required == set(GIVEN)
    named = set(re.findall(r"^(\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert required <= named
    assert named <= set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text()))


@pytest.mark.parametrize("service", OWN)
def test_every_setting_of_the_environment_file_reaches_the_containers(service: str) -> None:
    environment = {name: str(value) for name, value in COMPOSE["services"][service]["environment"].items()}
    passed_on = {variable.name for variable in VARIABLES} - {f"OVERLAND_{name}" for name in OF_COMPOSE | OF_RUN}
    marked = dict.fromkeys(passed_on, "from the file")
    assert {name for name, value in environment.items() if filled_in(value, marked) == "from the file"} == passed_on
    assert set(environment) == passed_on | {f"OVERLAND_{name}" for name in OF_COMPOSE}


def test_compose_runs_each_program_and_waits_for_what_it_needs() -> None:
    commands = {name: COMPOSE["services"][name]["command"] for name in OWN}
    assert commands == {
        "migrate": ["overland", "migrate"],
        "api": ["overland", "api"],
        "worker-turns": ["python", "-m", "workers", "turns", *ALIVE],
        "worker-notices": ["python", "-m", "workers", "notices", *ALIVE],
        "worker-messages": ["python", "-m", "workers", "messages", *ALIVE],
        "worker-bots": ["python", "-m", "workers", "bots", *ALIVE],
        "worker-webhooks": ["python", "-m", "workers", "webhooks", *ALIVE],
        "listener": ["python", "-m", "workers", "listener", *ALIVE],
        "sweeper": ["python", "-m", "workers", "sweeper", *ALIVE],
    }
    for name, service in COMPOSE["services"].items():
        for other, condition in service.get("depends_on", {}).items():
            assert other in COMPOSE["services"], name
            healthy = condition["condition"] == "service_healthy"
            assert not healthy or "test" in COMPOSE["services"][other]["healthcheck"], (
                f"{name} waits for the health of {other}"
            )
    used = {volume.split(":")[0] for service in COMPOSE["services"].values() for volume in service.get("volumes", [])}
    assert used == set(COMPOSE["volumes"])


def test_compose_and_the_manual_start_every_part_of_the_service() -> None:
    commands = [COMPOSE["services"][name]["command"] for name in OWN]
    assert {part for words in commands if "workers" in words for part in words[3:-2]} == set(PARTS)
    table = re.findall(r"\| `python -m workers ([a-z]+)` \|", (ROOT / "docs/operations.md").read_text())
    assert sorted(table) == sorted(PARTS)


def test_every_image_is_named_by_an_exact_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert {COMPOSE["services"][name]["image"] for name in OWN} == {f"overland:{version}"}
    images = [service["image"] for service in COMPOSE["services"].values() if "build" not in service]
    images += [line.split()[1] for line in dockerfile_lines() if line.startswith("FROM")]
    assert len(images) == 4
    for image in images:
        assert re.search(r":\d+\.\d+(\.\d+)?(-[a-z-]+)?$", image), image
        assert image.startswith("postgres:") or image.count(".") == 2, image  # PostgreSQL has no third number


def test_every_container_has_a_limit_of_memory_and_valkey_keeps_below_half_of_its_own() -> None:
    limits = {name: megabytes(service["mem_limit"]) for name, service in COMPOSE["services"].items()}
    assert min(limits.values()) >= 256
    words = COMPOSE["services"]["valkey"]["command"]
    assert megabytes(words[words.index("--maxmemory") + 1]) * 2 <= limits["valkey"]


def megabytes(text: str) -> int:
    number, unit = re.fullmatch(r"(\d+)(m|mb|g)", text).groups()  # type: ignore[union-attr]
    return int(number) * (1024 if unit == "g" else 1)


def test_valkey_asks_for_the_password_that_our_containers_send(tmp_path: Path) -> None:
    valkey = COMPOSE["services"]["valkey"]
    words = [filled_in(word, GIVEN) for word in valkey["command"]]
    assert words[words.index("--requirepass") + 1] == "letters2"
    assert {filled_in(value, GIVEN) for value in valkey["environment"].values()} == {"letters2"}
    assert "ports" not in valkey


def test_the_options_of_valkey_are_those_that_it_takes(tmp_path: Path) -> None:
    port = free_port()
    words = [filled_in(word, GIVEN) for word in COMPOSE["services"]["valkey"]["command"]]
    with subprocess.Popen(
        [str(server_binary()), *words[1:], "--port", str(port), "--dir", str(tmp_path)], stdout=subprocess.DEVNULL
    ) as server:
        try:
            until(lambda: answers(f"redis://:letters2@127.0.0.1:{port}/0"), "Valkey answers")
            assert not answers(f"redis://127.0.0.1:{port}/0")
        finally:
            server.kill()


def test_the_image_runs_as_an_ordinary_user_and_copies_only_what_is_there() -> None:
    lines = dockerfile_lines()
    known = {"FROM", "WORKDIR", "RUN", "ENV", "COPY", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}
    assert {line.split()[0] for line in lines} <= known
    assert [line for line in lines if line.startswith("USER")] == ["USER 10001:10001"]
    copied = [word for line in lines if line.startswith("COPY") and "--from" not in line for word in line.split()[1:-1]]
    assert [path for path in copied if not (ROOT / path).exists()] == []
    unignored = {
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    }
    assert set(copied) == unignored
    final = lines[max(index for index, line in enumerate(lines) if line.startswith("FROM")) :]
    assert any(line.startswith("HEALTHCHECK") and "/readyz" in line for line in final)
    assert json.loads(final[-1].removeprefix("CMD ")) == ["overland", "api"]


def test_every_file_beside_the_modules_is_installed_with_them() -> None:
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    beside = {file for package in PACKAGES for file in (ROOT / package).rglob("*") if file.is_file()}
    assert {file for file in beside if file.suffix != ".py" and file.parent.name != "__pycache__"} == {
        file for file in beside if any(file.match(pattern) for pattern in tables["package-data"]["*"])
    }
    assert {f"{package}*" for package in PACKAGES} <= set(tables["packages"]["find"]["include"])


def test_the_image_sets_variables_that_the_service_knows() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert set(re.findall(r"\b(OVERLAND_\w+)=", text)) <= {variable.name for variable in VARIABLES}


def test_the_manual_and_compose_name_only_commands_that_exist() -> None:
    texts = (ROOT / "docs/operations.md").read_text() + (ROOT / "Makefile").read_text()
    assert set(re.findall(r"(?:`|bin\)/|, \")overland ([a-z-]+)", texts)) <= {*COMMANDS, *TOOLS}


def test_make_help_lists_every_target() -> None:
    said = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony is not None
    assert sorted(re.findall(r"^  make ([a-z-]+)", said, re.MULTILINE)) == sorted(phony[1].split())


def test_the_pinned_versions_name_no_addresses_and_cover_what_is_needed() -> None:
    pinned = (ROOT / "constraints.txt").read_text()
    assert re.findall(r"https?:|@|--", re.sub(r"^#.*$", "", pinned, flags=re.MULTILINE)) == []
    names = {line.split("==")[0].lower().replace("_", "-") for line in pinned.splitlines() if "==" in line}
    needed = re.findall(
        r'^    "([A-Za-z0-9.-]+)', (ROOT / "pyproject.toml").read_text().split("[project.scripts]")[0], re.MULTILINE
    )
    assert [name for name in needed if name.lower() not in names] == []


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_each_command_explains_itself(command: str) -> None:
    found = main.get_command(Context(main), command)
    assert found is not None
    said = CliRunner().invoke(found, ["--help"], prog_name=f"overland {command}")
    assert said.exit_code == 0, said.output
    assert said.output.startswith(f"Usage: overland {command}")


@pytest.mark.parametrize("command", ["run", *(pytest.param(each, marks=pytest.mark.deep) for each in OTHERS)])
def test_each_command_explains_itself_in_a_process_of_its_own(command: str) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "service.cli", command, "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith(f"Usage: python -m service.cli {command}")
