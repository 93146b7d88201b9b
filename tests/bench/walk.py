"""The time of one warm walk, request in to last byte out, as a multiple of the same arithmetic in plain PyTorch."""

import base64
import itertools
import json
import math
import re
import socket
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from app.compute.ours import FIRST_DRILLS
from tests.bench.reach import told
from tests.support.crowd import posted
from tests.tools.server import Server

ROUNDS = 200
WARM_UP = 20
STRAIGHT_RUNS = 5
LESSON = "makemore-mlp"
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
DTYPES = {"f4": np.float32, "i4": np.int32, "f8": np.float64}


def report(server: Server) -> None:
    """Print the walk's time, plain PyTorch's, their ratio, and the size of the answer."""
    prepare(server)
    torch.set_num_threads(1)
    straight = straight_line(server)
    with server.connect() as connection:
        ask = asker(connection)
        size = ask()
        walks, straights = alternate(ask, straight)
    print(f"makemore walk, warm, request in to last byte out: {1e3 * median(walks):.2f} ms")
    print(f"the same arithmetic as straight-line PyTorch:     {1e3 * median(straights):.2f} ms")
    told("multiple of straight-line PyTorch (goal 5x)", median(walks) / median(straights), 8, "x", digits=1)
    told("bytes of the answer", size, 250_000)


def prepare(server: Server) -> None:
    """Ask for all that the server makes for itself when it starts: until it is there a worker of its own is at it."""
    for chapter in server.get("/api/chapters").json()["chapters"]:
        server.get(f"/api/chapters/{chapter['name']}")
    for group in server.get(f"/api/drills?seed={FIRST_DRILLS}").json()["groups"]:
        server.get(f"/api/drills?seed={FIRST_DRILLS}&groups={group['name']}")
    for start in server.get("/api/starts").json()["starts"]:
        server.post("/api/walk", start["request"])


def alternate(ask: Callable[[], int], straight: Callable[[], None]) -> tuple[list[float], list[float]]:
    """Time both by turns, so that whatever else the machine does falls on both."""
    walks, straights = [], []
    for turn in range(WARM_UP + ROUNDS):
        walk, plain = timed(ask), [timed(straight) for _ in range(STRAIGHT_RUNS)]
        if turn >= WARM_UP:
            walks.append(walk)
            straights += plain
    return walks, straights


def timed(work: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def asker(connection: socket.socket) -> Callable[[], int]:
    """A function that asks for the walk of another minibatch, reads it to its last byte and returns its size.

    That of the lesson's own minibatch is kept: it is read, and not walked again.
    """
    buffer, seeds = memoryview(bytearray(1 << 23)), itertools.count(1)

    def ask() -> int:
        connection.sendall(posted("/api/walk", json.dumps({"lesson": LESSON, "seed": next(seeds)}).encode()))
        filled, whole = 0, len(buffer)
        while filled < whole:
            filled += connection.recv_into(buffer[filled:])
            if whole == len(buffer) and (end := bytes(buffer[:4096]).find(b"\r\n\r\n")) > 0:
                size = int(LENGTH.findall(bytes(buffer[:end]))[0])
                whole = end + 4 + size
        return size

    return ask


def straight_line(server: Server) -> Callable[[], None]:
    """The lesson as a person would write it: the chunked forward, autograd, and the printed backward lines."""
    walk = server.post("/api/walk", {"lesson": LESSON}).json()
    lesson = server.get(f"/api/lessons/{LESSON}").json()
    scope: dict[str, Any] = {"torch": torch, "F": F, "math": math, **lesson["constants"]}
    leaves = {node["variable"]: tensor(node["value"]) for node in walk["nodes"] if node["line"] is None}
    named = [node["variable"] for node in walk["nodes"] if node["line"] is not None]
    forward = compile(walk["forward_source"], "forward", "exec")
    backward = compile(walk["backward_source"], "backward", "exec")

    def run() -> None:
        scope.update({name: leaf.requires_grad_(leaf.is_floating_point()) for name, leaf in leaves.items()})
        exec(forward, scope)
        for name in named:
            scope[name].retain_grad()
        scope[walk["loss"]["name"]].backward()
        with torch.no_grad():
            exec(backward, scope)
        for leaf in leaves.values():
            leaf.grad = None

    return run


def tensor(wire: dict[str, str]) -> torch.Tensor:
    """A tensor as the walk sends it."""
    shape = [int(size) for size in wire["shape"].split(",") if size]
    cells = np.frombuffer(base64.b64decode(wire["bdata"]), DTYPES[wire["dtype"]]).reshape(shape).copy()
    found = torch.from_numpy(cells)
    return found if found.is_floating_point() else found.long()
