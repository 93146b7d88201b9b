"""Limits of a process beside those that whoever started the server has set."""

from __future__ import annotations

import sys

import pytest

from tests.tools.forked import run_code

LIMITED = """
import resource
from app.compute.process_limits import Memory, limit_time

memory, time = 1 << 38, 1000
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
resource.setrlimit(resource.RLIMIT_CPU, (time, time))
Memory(1 << 40)
limit_time(5000)
print(resource.getrlimit(resource.RLIMIT_AS) == (memory, memory), resource.getrlimit(resource.RLIMIT_CPU)[0] == time)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit of memory is Linux's")
def test_limits_stay_below_those_of_whoever_started_the_server() -> None:
    ended = run_code(LIMITED)
    assert (ended.code, ended.out.strip()) == (0, "True True"), ended.err
