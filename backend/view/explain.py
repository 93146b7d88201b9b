"""With this module every step tells its story in sentences: what arrives, the local derivative, sums, second paths."""

from __future__ import annotations

import re
from typing import Any

from backend.differentiate import Line
from backend.graph import Chunk, Graph, Node
from backend.ops.stretch import Expand, stretched_axes
from backend.printing import printed

Item = dict[str, str]


def shown(shape: tuple[int, ...]) -> str:
    """A shape as Python writes it; a scalar in a word."""
    return str(shape) if shape else "a single number"


def code(node: Node) -> str:
    """A tensor as the reader wrote it."""
    return f"`{printed(node.expr)}`"


def plural(name: str, count: int) -> str:
    """`27 classes`, `32 examples`; axes without a name are places."""
    if name.startswith("axis "):
        return f"{count} places along {name}"
    if count == 1:
        return f"1 {name}"
    if name.endswith("y"):
        return f"{count} {name[:-1]}ies"
    return f"{count} {name}{'es' if name.endswith('s') else 's'}"


def axes_of(expand: Node) -> list[dict[str, Any]]:
    """The axes along which an Expand node copies, with names and the reason in words."""
    source = expand.inputs["x"]
    return [
        {
            "axis": axis,
            "name": expand.dims[axis],
            "size": expand.shape[axis],
            "keepdim": keep,
            "why": f"{code(source)} was copied to {plural(expand.dims[axis], expand.shape[axis])}",
        }
        for axis, keep in stretched_axes(source.shape, expand.shape)
    ]


def forward_story(primitives: list[Node]) -> tuple[list[Item], list[dict[str, Any]]]:
    """Sentences for a forward step, and its broadcasts."""
    items: list[Item] = []
    broadcasts = []
    for node in primitives:
        assert node.op is not None
        if node.op is Expand:
            axes = axes_of(node)
            copied = " and ".join(plural(axis["name"], axis["size"]) for axis in axes)
            source = node.inputs["x"]
            text = f"{code(source)} {shown(source.shape)} is copied to {copied}, to meet shape {shown(node.shape)}."
            broadcasts.append({"input": printed(node.inputs["x"].expr), "axes": axes, "text": text})
            items.append({"kind": "broadcast", "text": text})
        else:
            items.append({"kind": "local", "text": _operation_sentence(node)})
    return items, broadcasts


def _operation_sentence(node: Node) -> str:
    assert node.op is not None
    what = (node.op.__doc__ or "").strip().rstrip(".")
    words = {name: code(source) for name, source in node.inputs.items()}
    words |= {name: f"`{printed(word)}`" for name, word in node.words.items() if name in ("y", "n", "index")}
    what = re.sub(r"\b[a-z]+\b", lambda found: words.get(found[0], found[0]), what[0].lower() + what[1:])
    shapes = " and ".join(shown(source.shape) for source in node.inputs.values())
    change = f" {shapes} → {shown(node.shape)}" if [node.shape] != [s.shape for s in node.inputs.values()] else ""
    return f"`{printed(node.written)}`: {what}.{change}"


def backward_story(line: Line, graph: Graph) -> list[Item]:
    """Sentences for a backward step, in the order in which it happens."""
    if line.through is None:
        start = code(line.target)
        text = f"The walk back begins at {start}: moved by itself it moves exactly as far, so its gradient is **1**."
        return [{"kind": "local", "text": text}]
    if line.parts:
        items = [{"kind": "upstream", "text": _parts_story(line)}]
    else:
        result = line.through.node
        nudged = f"each cell of {code(result)}" if result.shape else code(result)
        arriving = f"`d{result.variable}`, {shown(result.shape)}: how far the loss moves for a nudge of {nudged}."
        items = [{"kind": "upstream", "text": f"What arrives is {arriving}"}]
        items += [{"kind": "local", "text": text} for text in dict.fromkeys(_local_sentences(line))]
    if len(line.uses) > 1 and not line.parts:
        text = f"{code(line.target)} is used twice here, and both uses bring the same gradient: **2 ×**."
        items.append({"kind": "note", "text": text})
    items += [{"kind": "broadcast", "text": _collapse_story(node)} for node in line.nodes if node.op is Expand]
    if line.mode == "+=":
        items.append({"kind": "accumulate", "text": _second_path(line, graph)})
    elif line.code.endswith(".clone()"):
        text = "`.clone()` makes a copy: a later line adds to it and must not change the gradient it came from."
        items.append({"kind": "note", "text": text})
    return items


def _parts_story(line: Line) -> str:
    whole = line.target
    cut = code(whole) if whole.name else f"`{printed(whole.written)}`"
    return (
        f"{cut} was cut into {len(line.parts)} parts. Each part's gradient goes back to where the part was cut out: "
        "laid together they are the gradient of the whole."
    )


def _local_sentences(line: Line) -> list[str]:
    return [_because(hop.node, hop.input_name) for hop in line.path if hop.node.op is not Expand]


def _because(node: Node, name: str) -> str:
    assert node.op is not None
    template = node.op.told(name, node.call)
    words = {key: code(source) for key, source in node.inputs.items()}
    words |= {key: f"`{printed(word)}`" for key, word in node.words.items()}
    words |= {"out": code(node), "g": f"`d{node.variable}`" if node.variable else "what arrives"}
    for key, text in words.items():
        template = template.replace("{" + key + "}", text)
    return template


def _collapse_story(expand: Node) -> str:
    source = expand.inputs["x"]
    axes = axes_of(expand)
    if not source.shape:
        return (
            f"{code(source)} is a single number that was copied into every cell: **every cell's gradient is summed**."
        )
    copies = 1
    for axis in axes:
        copies *= axis["size"]
    copied = " and ".join(plural(axis["name"], axis["size"]) for axis in axes)
    sums = " and ".join(
        f"axis {axis['axis']} ({axis['name']})" if not axis["name"].startswith("axis") else axis["name"]
        for axis in axes
    )
    kept = [axis for axis in axes if axis["keepdim"]]
    keep = (
        f", and `keepdim=True` because the shape to match is {shown(source.shape)}"
        if kept
        else f", down to shape {shown(source.shape)}"
    )
    first = f"Going forward, {code(source)} {shown(source.shape)} was **copied to {copied}**."
    fed = f"A number that fed {copies} places receives {copies} gradients, and they add"
    return f"{first} {fed}: **sum over {sums}**{keep}."


def _second_path(line: Line, graph: Graph) -> str:
    users = readers(line.target, graph)
    names = [f"`{chunk.node.variable}`" for chunk in users]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"{code(line.target)} went into {listed}. Each path brings its own gradient and they add up: **`+=`**."


def readers(node: Node, graph: Graph) -> list[Chunk]:
    """The chunks that read a named tensor."""
    return [chunk for chunk in graph.chunks if node.name in chunk.names_read]
