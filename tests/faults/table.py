"""``python -m tests.faults.table [FOLDER]``: the fault table, of a run of the suite that this
starts, or of the rows below FOLDER.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Prints the table; the exit status is that of the tests."""
    if arguments:
        print("\n".join(table(Path(arguments[0]))))
        return 0
    with tempfile.TemporaryDirectory(prefix="overland-faults-") as folder:
        base = Path(folder) / "run"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "tests/faults", "-n", "2", "--dist", "worksteal", f"--basetemp={base}"],
            check=False,
        )
        print("\n".join(table(base)))
        return done.returncode


def table(folder: Path) -> list[str]:
    """The rows below a folder as Markdown, in the order in which they were written."""
    files = sorted(folder.rglob("fault-rows/*.json"), key=lambda file: int(file.stem))
    rows = sorted(
        (json.loads(file.read_text()) for file in files), key=lambda row: (row["where"] != "SQLite", row["where"])
    )
    return [
        "| fault | on | turns submitted | lost | double | seconds to recover |",
        "|---|---|--:|--:|--:|--:|",
        *(
            f"| {row['fault']} | {row['where']} | {row['turns']} | {row['lost']} | {row['double']} |"
            f" {row['seconds']:.1f} |"
            for row in rows
        ),
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
