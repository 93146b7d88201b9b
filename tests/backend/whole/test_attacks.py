"""Every attack is refused in our own words, at once, and leaves the engine as it was."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any

import pytest
import torch

import backend
from backend.engine.language.parse import parse
from tests.support import attacks

PROGRAMS = attacks.programs()
HARMLESS = attacks.harmless()
SECONDS = 4.0  # of this process's own time, which a busy machine stretches fourfold; the dearest takes 0.3


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """What a process loads at its first walks is not counted: a worker has loaded it before it is asked."""
    backend.warm()


def refused(request: Any) -> Any:
    """The refusal of a request, and how many seconds of work it took."""
    started = time.process_time()
    with pytest.raises(backend.Refusal) as caught:
        backend.walk(request | {"arrays": "lists"})
    return caught.value, time.process_time() - started


def read_as_found(request: Any) -> str:
    """The lines that are walked of a program that is read as code as found."""
    return str(json.loads(backend.walk(request | {"arrays": "lists"}))["found"]["source"])


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: Any) -> None:
    """Refused; or, where it is harmless, read as code as found: nothing is walked but lines of the language."""
    request = {"source": PROGRAMS[name], "tensors": attacks.TENSORS, "constants": {}}
    if name in HARMLESS:
        parse(read_as_found(request))
        return
    refusal, seconds = refused(request)
    assert refusal.status == 422
    assert len(refusal.message) < 300
    assert "object at" not in refusal.message + refusal.hint
    assert seconds < SECONDS


@pytest.mark.parametrize("request_body", attacks.REQUESTS.values(), ids=attacks.REQUESTS)
def test_request(request_body: Any) -> None:
    refusal, seconds = refused(request_body)
    assert refusal.status == (404 if "lesson" in request_body else 422)
    assert seconds < SECONDS


def test_there_are_enough() -> None:
    assert len(PROGRAMS) + len(attacks.REQUESTS) >= 120


def test_nothing_is_left_behind() -> None:
    before = torch.get_default_dtype(), torch.get_num_threads(), torch.initial_seed(), torch.is_grad_enabled()
    for source in list(PROGRAMS.values())[::7]:
        with suppress(backend.Refusal):
            backend.walk({"source": source, "tensors": attacks.TENSORS, "constants": {}})
    assert before == (torch.get_default_dtype(), torch.get_num_threads(), torch.initial_seed(), torch.is_grad_enabled())
    assert backend.walk({"source": "loss = x.sum()", "tensors": attacks.TENSORS, "arrays": "lists"})
