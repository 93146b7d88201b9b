"""Creates the application: settings, middleware, routes and the worker pool."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app import __version__, api, errors, pages, static_files
from app.assets import current
from app.bodies import BODIES
from app.classroom.rooms import Rooms
from app.compute.ours import Ours
from app.compute.pool import Pool
from app.connection import memory
from app.connection.meter import Meter
from app.events.journal import Journal, Memory, Sqlite
from app.following import follow
from app.middleware.ending import Ending
from app.middleware.guard import Guard
from app.middleware.head_as_get import HeadAsGet
from app.middleware.streams import Streams
from app.settings import Settings
from app.training.runs import Runs


class Described(FastAPI):
    """An application that describes its interface with the types of the requests."""

    def openapi(self) -> dict[str, Any]:
        """The description of the interface, in OpenAPI's own form, made when it is first asked for."""
        if self.openapi_schema is not None:
            return self.openapi_schema
        description = super().openapi()
        models: list[tuple[type[BaseModel], JsonSchemaMode]] = [(model, "validation") for model in BODIES.values()]
        _, requests = models_json_schema(models, ref_template="#/components/schemas/{model}")
        description["components"]["schemas"] |= requests["$defs"]
        return description


def create_app(settings: Settings | None = None) -> FastAPI:
    """A server's application; its worker processes live from start-up to shutdown."""
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        memory.give_back()
        pool, ours = app.state.pool, app.state.ours = Pool(settings), Ours(settings)
        ours.pool.start()
        pool.start()
        runs = app.state.runs = runs_of(settings)
        runs.open()
        rooms = app.state.rooms = Rooms(settings, journal_of(settings), pool, ours)
        await rooms.open()
        preparing = {asyncio.create_task(ours.prepare())}
        if settings.reload and settings.lessons is not None:

            def saved() -> None:
                pool.renew()
                renewing = asyncio.create_task(ours.renew())
                preparing.add(renewing)
                renewing.add_done_callback(preparing.discard)

            preparing.add(asyncio.create_task(follow(settings.lessons, saved)))
        gc.freeze()  # what is loaded now stays: a full collection that goes through it delays everybody by 40 ms
        yield
        for task in preparing:
            task.cancel()
        await rooms.stop()
        await runs.stop()
        await asyncio.gather(pool.stop(), ours.pool.stop())

    app = Described(
        title="gradwalk",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # app/api/description.py serves it
        redirect_slashes=False,
        telemetry={"auto_configure": False},  # nothing is sent anywhere, whatever OTEL_* and FASTAPI_OTEL_* say
    )
    app.state.join_origin = None  # by which students reach a class, where that is known
    app.state.lists, app.state.pages, app.state.reload = {}, {}, settings.reload
    app.state.embeds, app.state.classes = bool(settings.embed_in), settings.classes > 0
    current()  # now, and not while the first visitor waits
    errors.install(app, pages.problem)
    app.add_middleware(Streams)
    app.add_middleware(HeadAsGet)
    app.add_middleware(Meter, settings=settings)
    app.add_middleware(Guard, settings=settings)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
    app.add_middleware(Ending)
    for router in (*api.ROUTERS, static_files.router, pages.router):
        app.router.routes.extend(router.routes)  # each on its own: an included router's are gone through twice
    return app


def runs_of(settings: Settings) -> Runs:
    """Training runs, which other servers take where all have one log."""
    if settings.log is None:
        return Runs(settings)
    from app.training.shared_runs import SharedRuns  # only here: the library is an extra of its own

    return SharedRuns(settings, settings.log)


def journal_of(settings: Settings) -> Journal:
    """Where events are kept."""
    folder, most = settings.class_folder, settings.class_mib
    if settings.log is not None:
        from app.events.redis_journal import RedisJournal  # only here: the library is an extra of its own

        return RedisJournal(settings.log, most, 2 * settings.class_hours)
    return Memory(most) if folder is None else Sqlite(folder, most)
