"""Put the application together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI

from app import __version__, api, assets, errors, pages
from app.api.walk import SCHEMAS
from app.head import HeadAsGet
from app.security import Guard
from app.settings import Settings
from app.workers import Pool


def create_app(settings: Settings | None = None) -> FastAPI:
    """A server's application; its worker processes live from start-up to shutdown."""
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = app.state.pool = Pool(settings)
        pool.start()
        lists = asyncio.create_task(pages.fetch_all(pool, app.state.lists))
        yield
        lists.cancel()
        await pool.stop()

    app = FastAPI(
        title="gradwalk",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    app.state.lists = {}
    errors.install(app, pages.problem)
    app.add_middleware(HeadAsGet)
    app.add_middleware(Guard, settings=settings)
    for module in (api, assets, pages):
        app.include_router(module.router)
    app.openapi = partial(described, app)  # type: ignore[method-assign]
    return app


def described(app: FastAPI) -> dict[str, Any]:
    """The description of the interface, with the types of the Walk beside those of the requests."""
    description = FastAPI.openapi(app)
    description["components"]["schemas"] |= SCHEMAS
    return description
