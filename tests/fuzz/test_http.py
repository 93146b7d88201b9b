"""Some thousands of random requests to a real server, the same in every run."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.fuzz.http import Tally, fuzz, hasty, state
from tests.tools.server import Server

REQUESTS = 500


@pytest.fixture(scope="module")
def fuzzed() -> Iterator[Server]:
    """A server for this alone, that writes nothing of the inside into its log and ends as it began."""
    with hasty() as server:
        first = state(server)
        yield server
        last = state(server)
        assert (last.page, last.walk) == (first.page, first.walk)
        assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(1, 12))])
def test_every_request_is_answered_properly(fuzzed: Server, seed: int) -> None:
    tally = Tally()
    fuzz(fuzzed, Random(seed), tally, requests=REQUESTS)
    assert tally.findings == []
    assert {200, 400, 422} <= set(tally.statuses)
    assert tally.statuses.get(0, 0) < REQUESTS / 50
