"""The HTTP interface: one module per resource."""

from fastapi import APIRouter

from app.api import (
    axes,
    cell,
    chapters,
    check,
    curve,
    descent,
    description,
    drills,
    export,
    health,
    jacobian,
    lessons,
    mistakes,
    numeric,
    opened,
    ops,
    pieces,
    practice,
    program,
    search,
    starts,
    step,
    tensor,
    training,
    walk,
)

router = APIRouter()
for module in (
    *(walk, axes, cell, check, export, opened, numeric, jacobian, curve, descent, mistakes, practice, program, tensor),
    *(step, drills, pieces, starts, lessons, chapters, ops, search, health, training),
    description,
):
    router.include_router(module.router)
