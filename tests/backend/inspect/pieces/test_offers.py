"""Whatever is offered at a step of any kept program can be had, and holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import backend
from backend.engine.language.errors import Refusal
from backend.inspect.closed_forms.find import PATTERNS
from tests.support.programs import PATHS, load, walk_for

ANSWERS: dict[str, Callable[[Any], Any]] = {
    "derivation": backend.derivation,
    "order": backend.order,
    "threeways": backend.three_ways,
    "saturation": backend.saturation,
    "throughtime": backend.through_time,
}
HOLDS = {"exact", "approximate", "zero"}
# Programs that hold some piece of each kind, and every closed form.
SOME = (
    "one-line-batchnorm",
    "tied-embedding-lm",
    "elman-last-state",
    "nanogpt-block",
    "rms-norm-gated",
    "beta-vae-bce",
    "normalize",
)


def levels(kind: str, made: Any) -> set[str]:
    """What the engine says of the texts of a piece."""
    if kind == "derivation":
        return {stage["before"]["level"] for stage in made["stages"][1:]} | {made["stages"][-1]["autograd"]["level"]}
    return {way["check"]["level"] for way in made["ways"]} if kind == "threeways" else set()


def test_every_offer_of_every_program_holds(thorough: bool) -> None:
    met, forms = set(), set()
    for path in PATHS if thorough else [path for path in PATHS if path.stem in SOME]:
        walk = load(path)
        try:
            offers = backend.pieces({"walk": walk})["pieces"]
        except Refusal:
            continue
        for offer in offers:
            assert offer["steps"], path.stem
            at = [walk_for(path.stem)["steps"][step] for step in offer["steps"]]
            assert all(step["direction"] == "backward" or step["views"] for step in at), path.stem
            made = ANSWERS[offer["kind"]]({"walk": walk, "tensor": offer["tensor"]})
            assert levels(offer["kind"], made) <= HOLDS, (path.stem, offer["kind"])
            met.add(offer["kind"])
            forms.add(made.get("kind", ""))
    assert met == set(ANSWERS)
    assert forms - {""} == {pattern.kind for pattern in PATTERNS}
