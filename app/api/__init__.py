"""The HTTP interface: one module per resource."""

from fastapi import APIRouter

from app.api import (
    cell,
    check,
    curve,
    descent,
    export,
    health,
    jacobian,
    lessons,
    mistakes,
    numeric,
    opened,
    ops,
    practice,
    program,
    starts,
    step,
    tensor,
    training,
    walk,
)

router = APIRouter()
for module in (
    *(walk, cell, check, export, opened, numeric, jacobian, curve, descent, mistakes, practice, program, tensor, step),
    *(starts, lessons, ops, health, training),
):
    router.include_router(module.router)
