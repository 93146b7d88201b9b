"""What a figure says to somebody who does not see it: the numbers that it shows, as sentences or a small table."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import torch
from markupsafe import escape

from backend.course.prose import sentence
from backend.course.runs import Walked
from backend.engine.encode import Document
from backend.engine.execute.lookup import node_of
from backend.engine.execute.plan import Plan
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.guard import attempted
from backend.engine.language.wording import cell_text, number_text
from backend.inspect.axis_choices import axis_choices_of
from backend.inspect.cell.cell import cell_of
from backend.inspect.closed_forms.derivation import derivation
from backend.inspect.finite_differences.curve import curve
from backend.inspect.jacobian.jacobian import jacobian
from backend.inspect.pieces.piece_types import Saturation, ThroughTime
from backend.inspect.pieces.saturation import saturation
from backend.inspect.pieces.search_order import order
from backend.inspect.pieces.three_ways import three_ways
from backend.inspect.pieces.through_time import through_time
from backend.program.chapters.chapter import Block

DIGITS, MOST_TERMS, MOST_CELLS, ROUNDING = 3, 8, 64, 1e-6
Words = Callable[[Block, Walked, "Shown | None"], str]


class Shown:
    """The tensor, or the cell of one, that a figure is about."""

    def __init__(self, walked: Walked, name: str, gradient: bool, index: list[int]) -> None:
        self.name, self.gradient, self.index = name, gradient, index
        node = node_of(walked.run.plan, name)
        self.dims = node.dims
        held = walked.run.gradients if gradient else walked.run.forward.tensors
        self.whole = held[f"d{node.variable}" if gradient else node.variable]
        self.part = self.whole[tuple(index)]

    @property
    def called(self) -> str:
        """`dw[0, 1]`."""
        return f"{'d' if self.gradient else ''}{self.name}{cell_text(self.index)}"


def spoken(block: Block, walked: Walked, shown: Shown | None) -> str:
    """The words of a figure as HTML; nothing where the figure has words of its own, or none are known."""
    words = WORDS.get(block.kind)
    return attempted(partial(words, block, walked, shown), "") if words else ""


def paragraph(*sentences: str) -> str:
    """Sentences of the engine as one paragraph."""
    return f"<p>{' '.join(map(sentence, sentences))}</p>" if any(sentences) else ""


def _number(value: float | torch.Tensor) -> str:
    return number_text(float(value), DIGITS)


def _cell(_block: Block, walked: Walked, about: Shown | None) -> str:
    assert about is not None
    told = cell_of(walked.run, about.name, "gradient" if about.gradient else "value", tuple(about.index))
    first = f"`{about.called}` is {_number(about.part)}."
    numbers = told["numbers"]
    if not numbers or numbers["count"] < 2:
        return paragraph(first)
    terms = [_term(one["text"], one["values"]) for one in numbers["terms"][:MOST_TERMS]]
    if numbers["count"] > len(terms):
        return paragraph(first, f"It is the sum of {numbers['count']} terms; among them are {', '.join(terms)}.")
    return paragraph(first, f"It is the sum of {numbers['count']} terms: {', '.join(terms)}.")


def _term(text: str, values: list[float]) -> str:
    """`0.85 · (−1.2)` for a term with holes and what goes there."""
    told = [_number(value) for value in values]
    alone = text.strip() == "⟨0⟩"
    return re.sub(r"⟨(\d+)⟩", lambda hole: _bracketed(told[int(hole[1])], alone or hole.start() == 0), text)


def _bracketed(number: str, bare: bool) -> str:
    return number if bare or not number.startswith("−") else f"({number})"


def _tensor(_block: Block, _walked: Walked, about: Shown | None) -> str:
    assert about is not None
    tensor = about.whole
    if 0 < tensor.dim() <= 2 and tensor.numel() <= MOST_CELLS:
        rows = tensor.reshape(-1, tensor.shape[-1]).tolist()
        cells = "".join(f"<tr>{''.join(f'<td>{escape(_number(one))}</td>' for one in row)}</tr>" for row in rows)
        return f"<table><caption>{sentence(_title(about))}</caption><tbody>{cells}</tbody></table>"
    if tensor.numel() == 1:
        return paragraph(f"`{about.called}` is {_number(tensor)}.")
    least, most = _number(tensor.min()), _number(tensor.max())
    return paragraph(f"{_title(about)} Its numbers go from {least} to {most}.")


def _title(about: Shown) -> str:
    return f"`{about.called}` has the shape {shape_text(tuple(about.whole.shape))}."


def _drag(_block: Block, walked: Walked, about: Shown | None) -> str:
    assert about is not None
    plan, run = walked.run.plan, walked.run
    loss = plan.graph.loss
    reached = _number(run.forward.tensors[loss.variable])
    now = f"`{about.called}` is {_number(about.part)}, and `{loss.name}` is {reached}."
    variable = node_of(plan, about.name).variable
    gradient = run.gradients.get(f"d{variable}")
    if gradient is None or about.part.numel() != 1:
        return paragraph(now)
    return paragraph(now, *_nudged(walked, about, _number(gradient[tuple(about.index)])))


def _nudged(walked: Walked, about: Shown, slope: str) -> list[str]:
    """What a nudge does: at a kink, or where a straight-through line promises another slope, it isn't the gradient."""
    plan = walked.run.plan
    loss, verdict = plan.graph.loss.name, walked.verdicts.get(node_of(plan, about.name).variable)
    found = curve({**_asked(walked, about), "index": about.index, "points": 2}) if _may_part(plan) else {}
    kink, own, nudge = found.get("kink"), found.get("own_slope"), f"Nudge `{about.called}` by ε, and `{loss}`"
    if kink is not None:
        left, right = (_number(kink[side]) for side in ("left", "right"))
        return [f"There `{loss}` has a kink: its slope is {left} below and {right} above. The lines take {slope}."]
    if own is not None:
        moves = "stays" if _number(own) == "0" else f"moves by {_number(own)}·ε"
        return [f"The gradient promises {slope}·ε.", f"{nudge} {moves}."]
    if slope == "0" or (verdict is not None and verdict.level == "zero"):
        return [f"{nudge} stays: the true gradient is zero."]
    return [f"{nudge} moves by {slope}·ε."]


def _may_part(plan: Plan) -> bool:
    """Whether the loss may move otherwise than its gradient says: only then is it nudged, for that takes many runs."""
    hidden = any(node.op is not None and node.op.detaches for node in plan.graph.nodes)
    bent = any(
        node.op is not None and (node.op.passed_straight or node.op.cuts_at_zero(node.call))
        for node in plan.graph.reached
    )
    return hidden or bent


def _rope(_block: Block, walked: Walked, about: Shown | None) -> str:
    assert about is not None
    if about.part.dim() != 1:
        return ""
    labels = walked.run.material.labels.get(about.dims[-1], [])
    numbers = about.part.tolist()
    named = [labels[place] if place < len(labels) else str(place) for place in range(len(numbers))]
    up = [f"“{name}” {_number(n)}" for name, n in zip(named, numbers, strict=True) if n < 0]
    down = sorted(((n, name) for name, n in zip(named, numbers, strict=True) if n > 0), reverse=True)[:3]
    most = ", ".join(f"“{name}” {_number(n)}" for n, name in down)
    return paragraph(
        f"In `{about.called}` a negative gradient pulls a logit up, a positive one pushes it down.",
        f"Up: {', '.join(up)}." if up else "",
        f"Most strongly down: {most}." if most else "",
        f"All {len(numbers)} add up to {_number(sum(numbers)) if abs(sum(numbers)) > ROUNDING else 0}.",
    )


def _jacobian(block: Block, walked: Walked, _about: Shown | None) -> str:
    node, _, name = block.argument.partition(" ")
    return paragraph(str(jacobian({"walk": walked.request, "node": node, "input": name})["words"]))


def _collapse(_block: Block, walked: Walked, about: Shown | None) -> str:
    assert about is not None
    right = next(one for one in axis_choices_of(walked.run, about.name)["choices"] if one["right"])
    return paragraph(f"`{right['code']}` gives the shape {shape_text(tuple(right['shape']))}.", right["why"])


def _graph(_block: Block, walked: Walked, _about: Shown | None) -> str:
    lines = [f"<li><code>{escape(chunk.code)}</code></li>" for chunk in walked.run.plan.graph.chunks]
    return f"<p>The program, line by line:</p><ol>{''.join(lines)}</ol>"


def _asked(walked: Walked, about: Shown | None) -> Document:
    """The body that a further view of a walk is asked with."""
    return {"walk": walked.request, "tensor": about.name if about else str(walked.run.plan.graph.loss.name)}


def _derivation(_block: Block, walked: Walked, about: Shown | None) -> str:
    return "".join(_with_code(one["text"], one["code"]) for one in derivation(_asked(walked, about))["stages"])


def _three_ways(_block: Block, walked: Walked, about: Shown | None) -> str:
    return "".join(_with_code(one["text"], one["code"]) for one in three_ways(_asked(walked, about))["ways"])


def _order(_block: Block, walked: Walked, about: Shown | None) -> str:
    events = order(_asked(walked, about))["events"]
    items = [f"<li>{sentence(one['text'])}</li>" for one in events]
    return f"<ol>{''.join(items)}</ol>"


def _with_code(text: str, code: str) -> str:
    return f"{paragraph(text)}<pre><code>{escape(code)}</code></pre>"


def _saturation(block: Block, walked: Walked, about: Shown | None) -> str:
    return paragraph(_at_scale(block, saturation(_asked(walked, about))))


def _through_time(block: Block, walked: Walked, about: Shown | None) -> str:
    return paragraph(_at_scale(block, through_time(_asked(walked, about))))


def _at_scale(block: Block, told: Saturation | ThroughTime) -> str:
    """What is told of the scale that the slider begins at."""
    scale = block.options.get("scale")
    return told["points"][told["scales"].index(float(scale)) if scale else told["usual"]]["text"]


WORDS: dict[str, Words] = {
    "derivation": _derivation,
    "order": _order,
    "threeways": _three_ways,
    "saturation": _saturation,
    "throughtime": _through_time,
    "cell": _cell,
    "tensor": _tensor,
    "drag": _drag,
    "rope": _rope,
    "jacobian": _jacobian,
    "collapse": _collapse,
    "graph": _graph,
}
