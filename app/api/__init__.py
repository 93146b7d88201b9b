"""The HTTP interface: what is posted is a row of `app/endpoints.py`, every other resource a module."""

from fastapi import APIRouter

from app.api import (
    chapters,
    classroom,
    description,
    drills,
    exhibits,
    health,
    lessons,
    ops,
    posted,
    search,
    starts,
    training,
)

router = APIRouter()
for module in (
    *(posted, classroom, drills, starts, lessons, chapters, exhibits),
    *(ops, search, health, training, description),
):
    router.include_router(module.router)
