"""One module per resource of the HTTP interface."""

from fastapi import APIRouter

from app.api import cell, check, export, health, jacobian, lessons, numeric, opened, ops, starts, tensor, walk

router = APIRouter()
for module in (walk, cell, check, export, opened, numeric, jacobian, tensor, starts, lessons, ops, health):
    router.include_router(module.router)
