"""Three hints for one gradient, each a little more: the rule, then the axis or the shape, then the line itself."""

from __future__ import annotations

import re
from weakref import WeakKeyDictionary

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.language.tree import names_in
from backend.engine.language.unparse import printed
from backend.engine.language.wording import listed
from backend.engine.trace.graph import Node
from backend.present.explain import Story, axes_of

MOST = 3
# Code at the end of a clause, and what leads to it: `…: dlogits @ W2.T`, `…, which gives 2 * x`.
TAIL = re.compile(r"(?:, which gives|[:,]) `([^`]+)`")

_rules: WeakKeyDictionary[Plan, list[str]] = WeakKeyDictionary()


def hints_for(plan: Plan, node: Node, numbers: list[int]) -> list[str]:
    """The hints for the gradient that these lines write."""
    lines = [plan.lines[number] for number in numbers]
    return [_rule(plan, numbers), _shape(node, lines), "\n".join(line.code for line in lines)]


def _rule(plan: Plan, numbers: list[int]) -> str:
    told = list(dict.fromkeys(filter(None, (_rules_of(plan)[number] for number in numbers))))
    through = [line.through.node.variable for line in (plan.lines[number] for number in numbers) if line.through]
    if not told:
        places = [_arrives_at(plan, plan.lines[number]) for number in numbers if plan.lines[number].through]
        used = listed([f"`{name}`" for name in dict.fromkeys(places)])
        told = [
            f"What arrives at {used} passes unchanged." if used else "The loss moves as far as it is nudged itself."
        ]
    if len(through) > 1:
        names, both = list(dict.fromkeys(through)), "both " if len(through) == 2 else "all "
        which = f"{both * (len(names) == 1)}through {listed([f'`{name}`' for name in names])}"
        told.append(f"There are {len(through)} paths, {which}: they add up.")
    return " ".join(told)


def _arrives_at(plan: Plan, line: Line) -> str:
    """Where the gradient that a line takes over arrives: at a piece of a statement where it reads that one's."""
    read = names_in(line.last.value)
    inner = next((one.target for one in plan.lines if one.inner and one.variable in read), None)
    return printed(inner.written) if inner else line.through.node.variable if line.through else ""


def _rules_of(plan: Plan) -> list[str]:
    """The reason of each line's rule, without the line's own code."""
    if plan not in _rules:
        story = Story(plan.graph, plan.lines)
        _rules[plan] = [_local(plan, story, line) for line in plan.lines]
    return _rules[plan]


def _local(plan: Plan, story: Story, line: Line) -> str:
    texts = [item["text"] for item in story.of(line, None) if item["kind"] == "local"]
    gradients = {line.variable for line in plan.lines}

    def kept(tail: re.Match[str]) -> str:
        return "" if gradients & set(re.findall(r"\w+", tail[1])) else tail[0]

    return " ".join(TAIL.sub(kept, text) for text in texts)


def _shape(node: Node, lines: list[Line]) -> str:
    expands = [next((one for one in line.nodes if one.is_broadcast), None) for line in lines]
    told = [axis["why"] for expand in expands if expand for axis in axes_of(expand)]
    why = [f"{text[0].upper()}{text[1:].rstrip('.')}." for text in dict.fromkeys(told) if text]
    return " ".join([*why, shape_of(node)])


def shape_of(node: Node) -> str:
    """Which shape a tensor's gradient has."""
    shape = str(tuple(node.shape)) if node.shape else "a single number"
    return f"`d{node.variable}` has the shape of `{node.variable}`: {shape}."
