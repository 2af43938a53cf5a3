"""An answer of every operation, and every call of a webhook, as the service gave and sent them in a
recorded run (`make examples`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from engine.texts import read_text

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = json.loads(read_text("service.api", "examples.json"))
"""Status and body of an answer, by operation, and of a call, by its type."""
