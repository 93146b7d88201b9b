"""The table of endpoints: what a row names is there, and everything else that is said of an endpoint follows it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any, get_args, is_typeddict

import pytest

from app.body import document
from app.endpoints import BY_JOB, ENDPOINTS, Endpoint
from app.main import create_app
from tests.support.sample_requests import POSTED
from tests.tools.documents import NAMES

# What a function may be given besides what is asked: see app/compute/worker.py.
KNOWN = {"names", "deadline"}


def gaps(endpoint: Endpoint) -> list[str]:
    """What an endpoint still needs somewhere else."""
    found = []
    try:
        found += [f"{endpoint.function}: {gap}" for gap in ill_fitting(endpoint, endpoint.load())]
    except (ImportError, AttributeError) as error:
        found.append(f"backend has no {endpoint.function}: {error}")
    if endpoint.answer not in NAMES:
        found.append(f"no module in SCRIPTS of tests/tools/documents.py has a type {endpoint.answer}")
    if missing := set(endpoint.fields) - endpoint.asked.model_fields.keys():
        found.append(f"{endpoint.asked.__name__} has no {', '.join(sorted(missing))}")
    return found


def ill_fitting(endpoint: Endpoint, function: Callable[..., Any]) -> list[str]:
    """Where a function is not what its endpoint says: in what it takes, or in what it returns."""
    taken = [name for name in inspect.signature(function).parameters if name not in KNOWN]
    returned = inspect.get_annotations(function, eval_str=True)["return"]
    wrong = [f"takes {taken}"] if len(taken) != (len(endpoint.fields) or 1) else []
    answer = NAMES.get(endpoint.answer)
    if is_typeddict(returned) and returned not in (answer, *get_args(answer)):
        wrong.append(f"returns {returned.__name__} and no {endpoint.answer}")
    return wrong


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.path)
def test_what_a_row_names_is_there(endpoint: Endpoint) -> None:
    assert gaps(endpoint) == []
    assert document(endpoint.job, json.dumps(endpoint.example).encode())


@pytest.mark.parametrize(
    ("planted", "needed"),
    [
        ({"function": "services.check:nothing"}, "backend has no services.check:nothing"),
        ({"function": "services.nothing:check"}, "backend has no services.nothing:check"),
        ({"answer": "Nothing"}, "tests/tools/documents.py has a type Nothing"),
        ({"answer": "Window"}, "returns StepParts and no Window"),
        ({"function": "services.export:export"}, "takes ['request', 'form']"),
        ({"fields": ("nothing",)}, "StepsRequest has no nothing"),
    ],
)
def test_a_row_that_names_what_is_not_there_is_told_what_is_missing(planted: dict[str, Any], needed: str) -> None:
    assert any(needed in gap for gap in gaps(BY_JOB["steps"]._replace(**planted)))


def test_no_two_rows_share_an_address_or_a_job() -> None:
    assert len(ENDPOINTS) == len(BY_JOB) == len({endpoint.path for endpoint in ENDPOINTS})


def test_whatever_else_takes_a_body_is_about_a_run_or_a_class() -> None:
    """An address of the usual kind stands in the table, and is asked for nowhere else."""
    posts = {path for path, entry in create_app().openapi()["paths"].items() if "post" in entry}
    rows = {endpoint.path for endpoint in ENDPOINTS}
    assert rows <= posts
    assert all(path.startswith(("/api/training", "/api/class")) for path in posts - rows)
    assert {address.partition("?")[0] for address in POSTED} == {endpoint.address for endpoint in ENDPOINTS}
