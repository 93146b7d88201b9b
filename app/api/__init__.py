"""One module per resource of the HTTP interface."""

from fastapi import APIRouter

from app.api import health, lessons, ops, walk

router = APIRouter()
for module in (walk, lessons, ops, health):
    router.include_router(module.router)
