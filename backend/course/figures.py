"""What a figure of a chapter shows, and what it says to somebody who does not see it."""

from __future__ import annotations

import re

from markupsafe import escape

from backend.course.alternative_text import Shown, paragraph, spoken
from backend.course.notebook import engine_notebook
from backend.course.own_engine.text import mistakes_of, piece_of
from backend.course.runs import Runs, Walked
from backend.course.settings import settings_of
from backend.engine.execute.lookup import node_of, with_gradient
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.inspect.axis_choices import axis_step
from backend.present.document import facts
from backend.present.steps import steps_of
from backend.program.chapters.chapter import Block

Props = dict[str, str | int | float | list[str] | list[int] | None]
# Blocks about one line that sums, whatever else the gradient is made of.
GRADIENT = re.compile(r"`(d\w+)`")
SUMS = frozenset({"axis", "collapse"})
CELL = re.compile(r"(\w+(?:@\d+)?)(?:\[([\d, ]*)\])?")


def described(block: Block, walked: Walked) -> tuple[Props, str]:
    """The properties of a block and its words, as HTML; raises Refusal where the walk has no such thing."""
    if block.kind == "fill":
        return _piece(block)
    if block.kind == "notebook":
        return {"text": engine_notebook(walked.chapter, Runs(walked.chapter, walked.names))}, ""
    return _step(block, walked) if block.kind == "step" else _by_argument(block, walked)


def _piece(block: Block) -> tuple[Props, str]:
    """The lines of the engine around the blank."""
    piece = piece_of(block.argument)
    props: Props = {
        "before": piece.before.lstrip("\n"),
        "after": piece.after.rstrip("\n"),
        "slips": [code for code, _ in mistakes_of(block)],
    }
    return props, f"<pre><code>{escape(piece.filled('____').strip(chr(10)))}</code></pre>"


def _step(block: Block, walked: Walked) -> tuple[Props, str]:
    direction, _, rest = block.argument.partition(" ")
    name, _, place = rest.partition(".")
    run, steps = walked.run, steps_of(walked.run.plan)
    node_of(run.plan, name)
    every = [*steps.forward, *steps.backward]
    found = [n for n, step in enumerate(every) if step["direction"] == direction and step["node"] == name]
    if not found or (place and int(place) >= len(found)):
        raise Refusal("chapter-step", found=block.argument)
    index = found[int(place) if place else -1]
    step = every[index]
    known = facts(run)
    told = [
        item["text"].format_map(known) if item["kind"] == "lesson" else item["text"] for item in step["explanation"]
    ]
    return {"step": index, "code": step["code"]}, f"<pre><code>{escape(step['code'])}</code></pre>" + paragraph(*told)


def _by_argument(block: Block, walked: Walked) -> tuple[Props, str]:
    props: Props = dict(block.options)
    for old in ("choices", "answer", "why", "wrong", "accept", "with"):
        props.pop(old, None)
    found = CELL.fullmatch(block.argument)
    if not found:
        return props, spoken(block, walked, None)
    name, gradient, shape = tensor_of(found[1], walked)
    props |= {"tensor": name, "which": "gradient" if gradient else "value"}
    if block.kind in SUMS:
        props["step"] = axis_step(walked.run.plan, name)
    index: list[int] = []
    if found[2]:
        index = [int(part) for part in found[2].split(",")]
        if len(index) > len(shape) or any(i >= size for i, size in zip(index, shape, strict=False)):
            raise Refusal("cell-outside", found=index, tensor=name, shape=shape_text(shape))
        props["index"] = list(index)
    about = Shown(walked, name, gradient, index)
    props |= settings_of(block.options, float(about.part) if about.part.numel() == 1 else None)
    return props, spoken(block, walked, about)


def as_printed(argument: str, walked: Walked) -> str:
    """An argument with each tensor named as the lines name it: `h_5` for `h@5`."""
    return re.sub(r"\w+@\d+", lambda found: _printed(found[0], walked), argument)


def _printed(name: str, walked: Walked) -> str:
    named = walked.run.plan.by_name
    gradient = name not in named and name.startswith("d")
    node = named.get(name[gradient:])
    return name if node is None else "d" * gradient + node.variable


def tensor_of(text: str, walked: Walked) -> tuple[str, bool, tuple[int, ...]]:
    """The tensor that `h` or `dh` names, whether its gradient is meant, and its shape; raises Refusal."""
    plan = walked.run.plan
    if text not in plan.by_name and text.startswith("d") and text[1:] in plan.by_name:
        node = with_gradient(plan, text[1:])
        return text[1:], True, node.shape
    return text, False, node_of(plan, text).shape
