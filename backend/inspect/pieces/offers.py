"""Which pieces a walk has, and at which of its steps: answers POST /api/pieces."""

from __future__ import annotations

from pathlib import Path

from backend.engine.language.guard import guarded
from backend.inspect.closed_forms.derivation import collapses_of, steps_at
from backend.inspect.pieces import saturation, search_order, three_ways, through_time
from backend.inspect.pieces.piece_types import Piece, Pieces
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run


@guarded
def pieces(request: Request, names: Path | None = None) -> Pieces:
    """Every piece of a walk: its kind, the tensor it is about, and the steps at which it is offered.

    `request` is the body of POST /api/pieces. Raises Refusal where the walk is refused.
    """
    run = run_of(request["walk"], names)
    return {
        "pieces": [
            *_derivations(run),
            *search_order.order_offers(run),
            *three_ways.three_ways_offers(run),
            *saturation.saturation_offers(run),
            *through_time.through_time_offers(run),
        ]
    }


def _derivations(run: Run) -> list[Piece]:
    return [
        {"kind": "derivation", "tensor": str(found.x.name), "steps": steps_at(run, found)}
        for found in collapses_of(run)
    ]
