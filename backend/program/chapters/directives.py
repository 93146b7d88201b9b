"""The directives that a chapter may hold: what stands behind the name of each, and which options it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

NAME = r"[A-Za-z]\w*(?:@\d+)?"
# What may stand behind a directive's name, and how an error speaks of it.
ARGUMENTS = {
    "nothing": (r"", "nothing"),
    "step": (rf"(?:forward|backward) {NAME}(?:\.\d+)?", "`forward h` or `backward h`"),
    "tensor": (NAME, "the name of a tensor or of a gradient, such as `h` or `dh`"),
    "gradient": (rf"d{NAME}", "the name of a gradient, such as `dh`"),
    "cell": (rf"{NAME}(?:\[\d+(?:, ?\d+)*\])?", "a cell, such as `w[0, 1]`"),
    "pair": (rf"{NAME} {NAME}", "a tensor and an input of it, such as `Y w`"),
    "piece": (r"[a-z]+", "a piece of the engine, such as `multiply`"),
    "label": (r".{0,80}", "what is read of it while it is folded, in 80 characters at most"),
}
# Options that every directive takes.
COMMON = frozenset({"in"})


Family = Literal["figure", "touch", "question", "prose"]


@dataclass(frozen=True)
class Directive:
    """One kind of block: how it is spoken of; its `family`, of which prose is read and not drawn; its `options`, true
    where one is needed."""

    spoken: str
    family: Family
    argument: str
    options: Mapping[str, bool] = field(default_factory=dict)


DIRECTIVES: dict[str, Directive] = {
    "step": Directive("Step", "figure", "step"),
    "tensor": Directive("Tensor", "figure", "tensor"),
    "cell": Directive("One number opened", "figure", "cell"),
    "collapse": Directive("Sum over an axis", "figure", "tensor"),
    "rope": Directive("Tug-of-war", "figure", "cell"),
    "jacobian": Directive("Local Jacobian", "figure", "pair"),
    "graph": Directive("Computational graph", "figure", "nothing"),
    "derivation": Directive("Closed form", "figure", "gradient"),
    "order": Directive("Order of the walk", "figure", "nothing"),
    "threeways": Directive("Three ways", "figure", "gradient"),
    "saturation": Directive("Saturation", "figure", "tensor", {"scale": False}),
    "throughtime": Directive("Gradient through time", "figure", "tensor", {"scale": False}),
    "drag": Directive("Drag", "touch", "cell", {"show": False, "from": False, "to": False, "axis": False}),
    "predict": Directive("Predict", "question", "cell", {"choices": True, "answer": True, "why": True, "wrong": False}),
    "axis": Directive("Pick the axis", "question", "tensor"),
    "shapes": Directive("Shape check", "question", "gradient"),
    "quiz": Directive(
        "Question",
        "question",
        "nothing",
        {"answer": True, "accept": False, "with": False, "why": False, "choices": False, "wrong": False},
    ),
    "write": Directive("Write the line", "question", "gradient"),
    "fill": Directive(
        "Fill in the line", "question", "piece", {"tries": True, "lines": False, "wrong": False, "why": False}
    ),
    "notebook": Directive("Notebook", "figure", "nothing"),
    "costs": Directive("What the lines cost", "prose", "nothing", {"again": False}),
    "listing": Directive("Lines of the engine", "prose", "piece"),
    "answer": Directive("Answer", "prose", "label"),
}
ROLES = ("value", "shape", "verdict", "word", "lesson", "exhibit")
