"""Runs of requests, and the cache of the latest few that questions about a walk look into."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from backend.engine.execute import session
from backend.engine.execute.plan import Plan
from backend.program.request import Material

# Cached runs at most; bytes of all together; bytes of the latest alone.
KEPT, MOST_BYTES, LARGEST_BYTES = 64, 2**25, 2**27


@dataclass
class Run(session.ProgramRun):
    """A plan run on one request's tensors, in the precision asked for; `identity` is the request's."""

    material: Material
    identity: str = ""


def execute(plan: Plan, material: Material) -> Run:
    """Run a plan on a request's tensors; raises Refusal where torch refuses."""
    run = session.execute(plan, material)
    return Run(material, plan, run.forward, run.backward, run.seconds)


_runs: OrderedDict[str, Run] = OrderedDict()


def kept_run(key: str) -> Run | None:
    """The cached run of a request's identity, from now on the latest one used."""
    if key in _runs:
        _runs.move_to_end(key)
    return _runs.get(key)


def keep_run(run: Run) -> None:
    """Cache a run by its request's identity, unless it is too large, and evict the oldest ones to make room."""
    if run.bytes + run.plan.bytes > LARGEST_BYTES:
        return
    _runs[run.identity] = run
    held = _bytes()
    while len(_runs) > KEPT or (len(_runs) > 1 and held > MOST_BYTES):
        _, oldest = _runs.popitem(last=False)
        held -= oldest.bytes
        if not any(kept.plan is oldest.plan for kept in _runs.values()):
            held -= oldest.plan.bytes


def make_room() -> None:
    """Evict a large run before another one is computed: both might not fit into memory."""
    if _bytes() > MOST_BYTES:
        _runs.clear()


def _bytes() -> int:
    """The bytes of all kept runs, each plan counted once."""
    plans = {run.plan for run in _runs.values()}
    return sum([run.bytes for run in _runs.values()]) + sum([plan.bytes for plan in plans])
