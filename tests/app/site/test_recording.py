"""What a file holds where there is time for all of it, and where there is none."""

import gzip
import json
from typing import Any

import pytest

from app.site import packing
from app.site.recording import answered, exported, whole_walk
from gradwalk.answers import here

WALK: dict[str, Any] = {
    "source": "h = torch.tanh(x @ w)\nloss = h.mean()",
    "tensors": {
        "x": {"role": "data", "shape": [120, 120], "init": "randn"},
        "w": {"role": "parameter", "shape": [120, 120], "init": "randn"},
    },
}


def test_a_file_lacks_nothing_where_there_is_time() -> None:
    found, whole = answered(here({}), WALK)
    asked = {question.partition(" ")[0] for question in found}
    assert whole
    assert {"/api/walk?steps=all", "/api/numeric", "/api/jacobian", "/api/descent"} <= asked
    assert all('"lesson":"own"' in question for question in found), "under the walk's name in its file"


def test_without_time_every_step_is_there_and_nothing_waits_for_more() -> None:
    """What is still in blocks says that this is all, else its page would ask for the cells at each step."""
    found, whole = answered(here({}), WALK, lambda: True)
    assert (whole, list(found)) == (False, ['/api/walk?steps=all {"lesson":"own"}'])
    text = json.dumps(found)
    assert b'"coarse":true' in here({}).told(whole_walk(WALK))
    assert '"coarse": true' not in text


@pytest.mark.exhaustive
def test_a_job_without_time_says_so_in_its_page() -> None:
    told = exported(here({}), WALK, 0.0)
    assert (told["filename"], told["page"]["title"], told["page"]["whole"]) == ("gradwalk.html", "Your code", False)
    assert exported(here({}), WALK, float("inf"))["page"]["whole"]


def test_what_is_packed_without_time_is_longer_and_follows_from_nothing() -> None:
    found, _ = answered(here({}), WALK, lambda: True)
    short, long = packing.packed(found), packing.packed(found, steps=0)
    assert len(gzip.compress(short)) < len(gzip.compress(long))
