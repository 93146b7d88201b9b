"""Everything an operator may set: a command-line flag, or an environment variable that starts with GRADWALK_."""

import math
import os
import re
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Self

from pydantic import DirectoryPath, Field, FilePath, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

ORIGIN = re.compile(r"https?://[\w*.-]+(:\d+)?")
LOGIN = r"([^\s/?#@]*@)?"  # where a library would take one of these for the end of a host, and tell what is before it
REDIS = re.compile(
    rf"(rediss?://{LOGIN}([\w.-]+|\[[\da-fA-F:.]+\])(:\d+)?|unix://{LOGIN}(?=/.))(/[^\s?#@]*)?(\?[^\s#@]*)?"
)
Words = Annotated[tuple[str, ...], NoDecode]


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Settings(BaseSettings):
    """The limits and addresses of one server; times are in seconds, sizes in bytes unless the name says otherwise."""

    model_config = SettingsConfigDict(env_prefix="GRADWALK_", extra="ignore", frozen=True, hide_input_in_errors=True)

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    names: FilePath | None = None
    lessons: DirectoryPath | None = None  # chapters of one's own, beside ours
    mnist: DirectoryPath | None = None  # with the files of MNIST, in place of the small digits
    reload: bool = False  # for whoever changes pages or lessons: templates, scripts and styles are read for each page
    allowed_hosts: Words = ()
    allowed_origins: Words = ()
    embed_in: Words = ()  # origins whose pages may show a step or a figure of ours in a frame
    trusted_proxies: Words = ()  # addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed

    workers: int = Field(default_factory=lambda: min(_processors(), 8), ge=1, le=64)
    queue: int = Field(default=400, ge=0)  # three in four for one address: a class of 300 with programs of their own
    deadline: float = Field(default=2.0, gt=0)  # of processor time, for one program
    wall_deadline: float = Field(default=20.0, gt=0)  # on the clock, in which a busy machine finds it that time
    queue_patience: float = Field(default=20.0, gt=0)
    memory_mib: int = Field(default=512, ge=64)

    training_runs: int = Field(default=8, ge=0, le=64)  # at a time; those that are over count until they are left
    training_runs_per_client: int = Field(default=2, ge=0)  # kept for each while others would have more
    training_streams_per_client: int = Field(default=32, ge=1)  # of events that are followed, two pages for each run
    training_streams_per_run: int = Field(default=64, ge=1)
    training_begin: float = Field(default=10.0, gt=0)  # of processor time until the first step
    training_memory_mib: int = Field(default=1024, ge=128)
    training_log_mib: int = Field(default=8, ge=1)  # of the latest events of each run
    training_unwatched: float = Field(default=60.0, gt=0)  # after which a run that nobody watches pauses
    training_abandoned: float = Field(default=900.0, gt=0)  # after which it ends
    training_rested: float = Field(default=3600.0, gt=0)  # after which one that stands still ends, watched or not
    training_hours: float = Field(default=2.0, gt=0)  # of processor time for one run
    training_longest_hours: float = Field(default=12.0, gt=0)  # after which any run ends

    classes: int = Field(default=20, ge=0)
    classes_per_client: int = Field(default=6, ge=0)  # opened in an hour
    class_seats: int = Field(default=5000, ge=1)
    class_seats_per_address: int = Field(default=1000, ge=1)  # beyond which an address has no more than are free
    class_mib: int = Field(default=64, ge=1)  # of what is told and answered in each
    class_hours: float = Field(default=12.0, gt=0)  # after its teacher's last word, after which one is forgotten
    class_folder: Path | None = None  # where classes are kept, so that they survive the server; else in its memory
    # A Redis that several servers share, in place of a folder, as in redis://localhost:6379.
    log: str | None = Field(default=None, repr=False)

    header_bytes: int = Field(default=32 * 1024, ge=1024)
    body_bytes: int = Field(default=256 * 1024, ge=1)
    body_seconds: float = Field(default=30.0, gt=0)
    header_seconds: float = Field(default=10.0, gt=0)
    idle_seconds: int = Field(default=5, ge=1)
    stalled_seconds: float = Field(default=20.0, gt=0)  # in which a client takes some of an answer
    unread_mib: int = Field(default=512, ge=1)  # of answers on their way to one client
    connections: int = Field(default=2048, ge=1)  # six for each of 300 browsers behind one address
    connections_per_address: int = Field(default=64, ge=1)  # kept for each while others would have more
    streams: int = Field(default=6000, ge=1)  # of events; each is a connection that nobody else's takes the place of

    @field_validator("allowed_hosts", "allowed_origins", "embed_in", "trusted_proxies", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Accept `a.example,b.example` from the environment."""
        return tuple(word.strip() for word in value.split(",") if word.strip()) if isinstance(value, str) else value

    @field_validator("trusted_proxies")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Accept only IP addresses and networks: a slip would trust nobody, or everybody."""
        for word in value:
            ip_network(word)
        return value

    @field_validator("log")
    @classmethod
    def _redis(cls, value: str | None) -> str | None:
        """Accept the address of a Redis; nothing of another one is told, as its password is in it."""
        if value is not None and not REDIS.fullmatch(value):
            signs = "with the signs / ? # @ of a password as %2F %3F %23 %40"
            raise ValueError(f"write the address of a Redis as in redis://:password@localhost:6379, {signs}")
        return value

    @model_validator(mode="after")
    def _one_log(self) -> Self:
        """Accept one place for classes."""
        if self.log is not None and self.class_folder is not None:
            raise ValueError("classes are kept in a folder or in Redis: give class_folder or log, not both")
        return self

    @field_validator("embed_in")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Accept only origins: what stands there becomes part of a header."""
        for word in value:
            if not ORIGIN.fullmatch(word):
                raise ValueError(f"“{word}” is no origin, such as https://learn.example.org")
        return value

    def for_ours(self) -> Self:
        """The same for what is gradwalk's own: one worker, patience, and limits that only what hangs meets."""
        memory = max(self.memory_mib, 512)
        hangs = {"deadline": 30.0, "wall_deadline": 600.0, "queue_patience": math.inf}
        return self.model_copy(update={"workers": 1, "memory_mib": memory, **hangs})
