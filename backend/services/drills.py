"""Short drills, one rule each, made from the operations' own samples at odd sizes: answers GET /api/drills."""

from __future__ import annotations

import ast
import math
import warnings
from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import replace
from functools import lru_cache

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.differentiate.reverse import differentiate
from backend.engine.interpret.evaluate import Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import RESERVED
from backend.engine.language.tree import names_in
from backend.engine.language.unparse import printed
from backend.engine.language.values import Values
from backend.engine.ops.groups import DRILLS
from backend.engine.trace.graph import Graph
from backend.practice.reply import Given
from backend.services.drill_drafts import MORE_GROUPS, WEIGHTS, Draft, drafts
from backend.services.drill_types import Drill, Drills, DrillTensor, DrillWalk
from backend.services.op_example import traced_with

# What goes on a card: so many backward statements, none longer than this.
MOST_LINES, LONGEST = 2, 84


def drills(seed: int, groups: Sequence[str] = ()) -> Drills:
    """The drills of some groups at a seed's sizes and numbers: programs with one gradient to be written.

    The same seed gives the same drills. Without a group it tells only which groups there are. Raises Refusal for a
    group that there isn't.
    """
    titles = {name: title for name, (title, _) in DRILLS.items()} | MORE_GROUPS
    unknown = next((name for name in groups if name not in titles), None)
    if unknown is not None:
        raise Refusal("drills-unknown", found=unknown, known=", ".join(titles))
    made = [drill for name in titles if name in groups for drill in _of_group(seed, name)]
    return {"seed": seed, "groups": [{"name": n, "title": title} for n, title in titles.items()], "drills": made}


@lru_cache(maxsize=32)
def _of_group(seed: int, group: str) -> list[Drill]:
    found: dict[str, set[int]] = defaultdict(set)
    made: list[Drill] = []
    for draft in drafts(seed, group):
        base = replace(draft, lines=(draft.after,), after="", targets=None)
        own = found[draft.key]
        if len(own) < draft.most and draft.sample not in own and (not draft.after or _drills_of(base, 0)):
            new = _drills_of(draft, len(own))
            own.update({draft.sample} if new else ())
            made += new
    return made


def _drills_of(draft: Draft, before: int) -> list[Drill]:
    """The gradients of a draft's program that make a drill: with a rule of their own, and a short one."""
    try:
        with warnings.catch_warnings(action="ignore"):
            # any loss will do for the lines below `out`, and one that squares it needs no further tensor
            graph = traced_with("\n".join([*draft.lines, "loss = (out * out).sum()"]), draft.inputs)
            lines = differentiate(graph, False)
    except (Refusal, RuntimeError):
        return []
    out = graph.by_variable.get("out")
    if out is None or graph.by_numbers or graph.actual:
        return []
    weights: DrillTensor = {
        "role": "target",
        "shape": list(out.shape),
        "init": "randn",
        "seed": draft.seed + len(draft.inputs),
    }
    walk: DrillWalk = {"source": draft.source, "tensors": draft.tensors | {WEIGHTS: weights}}
    wanted = [name for name, given in draft.inputs.items() if given.needs and name in (draft.targets or draft.inputs)]
    known = {one.variable for one in graph.named} | {f"d{one.variable}" for one in graph.named} | RESERVED
    short = [name for name in wanted if _is_short([one for one in lines if one.variable == f"d{name}"], lines, known)]
    key = draft.key if not before else f"{draft.key}-{before + 1}"
    return [_drill(f"{key}.{name}", draft, name, walk, graph, lines) for name in short]


def _is_short(own: list[Line], lines: list[Line], known: Container[str]) -> bool:
    """Whether a gradient takes few statements of known names, and more than handing on what arrives."""
    texts = [printed(statement) for line in own for statement in line.statements]
    if not texts or len(texts) > MOST_LINES or max(map(len, texts)) > LONGEST or any(line.inner for line in lines):
        return False
    if any(name not in known for line in own for statement in line.statements for name in names_in(statement)):
        return False  # a helper that another gradient's line made
    if len(own) > 1:
        return own[-1].sign == "+="
    value = own[-1].last.value
    reads = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    if _is_idle(value, own[-1]):
        return False
    return (reads != {"dout"} or not _is_handed_on(value)) and any(one[0] == "d" for one in reads)


def _is_handed_on(value: ast.expr) -> bool:
    match value:
        case ast.Name():
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name()), args=[], keywords=[]):
            return True
    return False


def _is_idle(value: ast.expr, line: Line) -> bool:
    """Whether a line leaves what arrives as it is, as one that gives it the shape that it has already."""
    target, above = line.target, line.through
    if above is None or not set(names_in(value)) <= {"dout", target.variable} or above.node.shape != target.shape:
        return False
    arriving = torch.arange(1.0, math.prod(target.shape) + 1).view(target.shape)
    scope: Values = {
        "dout": arriving,
        str(target.variable): torch.linspace(-9, 9, math.prod(target.shape)).view_as(arriving),
    }
    return torch.equal(Evaluator(scope).tensor(value), arriving)


def _drill(key: str, draft: Draft, name: str, walk: DrillWalk, graph: Graph, lines: list[Line]) -> Drill:
    node = graph.by_variable[name]
    before = [line.variable for line in lines if line.variable not in (f"d{name}", f"d{graph.loss.variable}")]
    between = {f"d{one.variable}" for one in graph.named if one not in graph.inputs}
    gradients = [one for one in dict.fromkeys(before) if one in between]
    values = [one for one in graph.named if one.variable not in (WEIGHTS, graph.loss.variable)]
    given: list[Given] = [
        {"name": one, "shape": list(graph.by_variable[one[1:]].shape), "gradient": True} for one in gradients
    ]
    given += [{"name": one.variable, "shape": list(one.shape), "gradient": False} for one in values]
    return {
        "id": key,
        "group": draft.group,
        "lines": list(draft.lines),
        "target": name,
        "name": f"d{name}",
        "shape": list(node.shape),
        "given": given,
        "walk": walk,
    }
