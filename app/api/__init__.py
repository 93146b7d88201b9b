"""One module per resource of the HTTP interface."""

from fastapi import APIRouter

from app.api import cell, check, export, health, lessons, opened, ops, starts, walk

router = APIRouter()
for module in (walk, cell, check, export, opened, starts, lessons, ops, health):
    router.include_router(module.router)
