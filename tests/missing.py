"""What a test needs and this machine does not have: a warning where the test is skipped, and a
failure in CI, where nothing may be missing.
"""

from __future__ import annotations

import os
import warnings
from typing import NoReturn

import pytest


def forbidden(reason: str) -> NoReturn:
    """Skips the test with a warning, in CI too: what the kernel forbids is not installed."""
    warnings.warn(reason, stacklevel=3)
    pytest.skip(reason)


def skip(reason: str) -> NoReturn:
    """Skips the test with a warning; fails it in CI."""
    assert not os.environ.get("CI"), f"In CI nothing may be missing: {reason}"
    forbidden(reason)
