"""Limits of a process beside those that whoever started the server has set."""

from __future__ import annotations

import sys

import pytest

from tests.tools.forked import run_code

LIMITED = """
import resource
from app.compute.process_limits import Memory

memory = 1 << 38
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
Memory(1 << 40)
print(resource.getrlimit(resource.RLIMIT_AS) == (memory, memory))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit of memory is Linux's")
def test_the_limit_stays_below_that_of_whoever_started_the_server() -> None:
    ended = run_code(LIMITED)
    assert (ended.code, ended.out.strip()) == (0, "True"), ended.err
