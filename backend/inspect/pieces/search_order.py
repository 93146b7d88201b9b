"""The order of the walk by depth-first search, call by call: answers POST /api/order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from backend.engine.execute.plan import Plan
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.wording import listed
from backend.inspect.pieces.piece_types import Piece, SearchEvent, SearchOrder
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run

MOST = 40  # named tensors of a graph whose search is shown
CODE = """\
def visit(tensor):
    if tensor in visited:
        return
    visited.add(tensor)
    for source in tensor.inputs:
        visit(source)
    order.append(tensor)"""
Kind = Literal["enter", "known", "append", "reverse"]
LINES: dict[Kind, list[int]] = {"enter": [1, 4], "known": [1, 2, 3], "append": [7], "reverse": []}


@guarded
def order(request: Request, names: Path | None = None) -> SearchOrder:
    """The search from one tensor: its calls, the visited set and the list after each, and the list reversed.

    `request` is the body of POST /api/order; the search begins at `tensor`, which is usually the loss. Raises Refusal
    where the graph is too large, or has no such tensor.
    """
    run, root = run_of(request["walk"], names), request["tensor"]
    inputs = run.plan.inputs_of
    if root not in inputs:
        raise Refusal("tensor-unknown", found=root)
    if len(inputs) > MOST:
        raise Refusal("order-too-large", found=len(inputs), limit=MOST)
    events = list(searched(inputs, root))
    found = events[-1]["order"]
    return {
        "tensor": root,
        "code": CODE.split("\n"),
        "nodes": [{"name": name, "inputs": inputs[name]} for name in inputs],
        "events": [*events, _reversed(found, run.plan)],
        "order": found,
        "backward": found[::-1],
    }


def order_offers(run: Run) -> list[Piece]:
    """The search is offered where the backward pass begins, in graphs that are small enough."""
    if len(run.plan.inputs_of) > MOST:
        return []
    return [{"kind": "order", "tensor": str(run.plan.graph.loss.name), "steps": [run.plan.first_backward]}]


def searched(inputs: Mapping[str, list[str]], root: str) -> Iterator[SearchEvent]:
    """Every call of the search and every tensor appended, in order; recursion is kept in a list of its own."""
    visited: list[str] = []
    order: list[str] = []
    stack: list[tuple[str, Iterator[str]]] = []
    calls: list[str] = [root]
    while calls or stack:
        if calls:
            name = calls.pop()
            names = [one for one, _ in stack] + [name]
            if name in visited:
                yield _event("known", name, names, visited, order, f"`{name}` is in the visited set: nothing to do.")
            else:
                visited.append(name)
                yield _event("enter", name, names, visited, order, _entered(name, inputs[name]))
                stack.append((name, iter(inputs[name])))
        name, rest = stack[-1]
        following = next(rest, None)
        if following is not None:
            calls.append(following)
            continue
        order.append(name)
        yield _event("append", name, [one for one, _ in stack], visited, order, _appended(name, inputs[name]))
        stack.pop()


def _event(kind: Kind, name: str, stack: list[str], visited: list[str], order: list[str], text: str) -> SearchEvent:
    return {
        "kind": kind,
        "tensor": name,
        "stack": list(stack),
        "visited": list(visited),
        "order": list(order),
        "lines": LINES[kind],
        "text": text,
    }


def _code(names: list[str]) -> str:
    return listed([f"`{name}`" for name in names])


def _entered(name: str, inputs: list[str]) -> str:
    if not inputs:
        return f"`{name}` is new: into the visited set. It has no inputs."
    come = "comes its input" if len(inputs) == 1 else "come its inputs"
    return f"`{name}` is new: into the visited set. Before it {come}, {_code(inputs)}."


def _appended(name: str, inputs: list[str]) -> str:
    if not inputs:
        return f"`{name}` is an input of the program: it is appended at once."
    return f"{_code(inputs)} {'stands' if len(inputs) == 1 else 'stand'} in the list: now `{name}` is appended."


def _reversed(order: list[str], plan: Plan) -> SearchEvent:
    back = [name for name in order[::-1] if plan.by_name[name] in plan.graph.reached]
    whole = f"Reversed, the list is the order of the backward pass: {_code(back[:6])}{', …' if len(back) > 6 else ''}."
    text = f"{whole} A tensor comes after all that read it, so its gradient is complete when it is passed on."
    return _event("reverse", order[-1], [], order, order, text)
