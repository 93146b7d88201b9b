"""Every sentence of every program: plain English, code that is what it stands for, and numbers that torch agrees with."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

import backend
from backend.engine.language.unparse import printed
from backend.engine.language.wording import HOLE, claims, filled_in
from backend.engine.ops import OPS
from backend.engine.ops.stretch import Expand
from backend.pipeline import run_of
from backend.present.document import facts
from backend.present.explain import Story, own_hops, phrases_of, words_of
from backend.present.forward import PLACES
from backend.present.steps import steps_of
from backend.program.lessons import OWN as LESSONS
from tests.support import op_samples, prose_lint, torch_reference
from tests.support.programs import mostly
from tests.support.solve import solve

ROOT = Path(__file__).parents[3]
STARTS = sorted((ROOT / "backend" / "program" / "starts").glob("*.toml"))
PROGRAMS = [
    *STARTS,
    *sorted((ROOT / "tests" / "programs").rglob("*.toml")),
]
WALKS = [*LESSONS, *PROGRAMS]
pytestmark = pytest.mark.filterwarnings("ignore:reduction")
# Pieces of a line that are shown as code and are no expression.
PIECES = {"+=", "-=", ".clone()", "keepdim=True", ".values", ".indices"}
DIFFERENTIABLE = [op for op in OPS if op.differentiable]


def request(which: Any) -> Any:
    return {"lesson": which} if isinstance(which, str) else tomllib.loads(which.read_text())


@cache
def run(which: Any) -> Any:
    return run_of(request(which))


@cache
def scope(which: Any) -> Any:
    """Every name in scope after both passes ran in plain PyTorch; index letters stand for the first place."""
    made = run(which)
    given = {name: made.forward.tensors[name] for name in made.material.tensors}
    after = dict.fromkeys("ijk", 0) | torch_reference.scope({"constants": made.material.constants}, given)
    with torch.no_grad(), torch_reference.DefaultDtype(made.material.dtype):
        exec(made.plan.graph.forward_source, after)
        exec(made.plan.backward_source, after)
    return after | {"": made.material.dtype}


def evaluated(code: Any, names: Any) -> Any:
    with torch.no_grad(), torch_reference.DefaultDtype(names.get("", torch.float64)):
        return eval(compile(code, code, "eval"), dict(names))


def told(which: Any) -> Iterator[Any]:
    """(step, its texts) of a walk, with the lesson's numbers."""
    known = facts(run(which))
    for step in [*steps_of(run(which).plan).forward, *steps_of(run(which).plan).backward]:
        texts = [
            item["text"].format_map(known) if item["kind"] == "lesson" else item["text"] for item in step["explanation"]
        ]
        yield step, texts


def test_every_starting_point_is_read() -> None:
    assert len(STARTS) == len(backend.starts())


@pytest.mark.parametrize("which", mostly(WALKS))
def test_sentences_are_plain_english(which: Any) -> None:
    names, found = set(run(which).plan.graph.by_variable), []
    for step, texts in told(which):
        assert texts, step["code"]
        question = step.get("question")
        asked = [question["prompt"], *(choice["why"] for choice in question["choices"])] if question else []
        found += [fault for text in [*texts, *asked] for fault in prose_lint.problems(text, names)]
        found += prose_lint.of_step(texts)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("which", mostly(WALKS))
def test_code_in_sentences_can_be_evaluated(which: Any) -> None:
    for step, texts in told(which):
        for code in (code for text in texts for code in re.findall(r"`([^`]+)`", text)):
            if code not in PIECES:
                assert evaluated(code, scope(which)) is not None, f"{code} in {step['code']}"
        for whole, part, place in re.findall(r"`([^`]+)` cuts [^.]*\. `(\w+)` is the (\w+) of them", " ".join(texts)):
            assert same(evaluated(whole, scope(which))[PLACES.index(place)], scope(which)[part]), f"{part} of {whole}"


@pytest.mark.parametrize("which", mostly(WALKS))
def test_code_is_what_its_words_stand_for(which: Any) -> None:
    """`-p / (1.0 + col**2)` must be the quotient of what stands for `out` and for `y`: no bracket is lost."""
    plan, found = run(which).plan, []
    story = Story(plan.graph, plan.lines)
    nodes: list[tuple[Any, Any, Any]] = [
        (node, node.op.does_for(node.call), None) for node in plan.graph.nodes if node.op is not Expand
    ]
    for line in plan.lines:
        for hop in own_hops(line):
            nodes.append((hop.node, reason(story, hop), hop))
    for node, template, hop in nodes:
        words, phrases = words_of(node, hop), phrases_of(node)
        named = {key: evaluated(printed(expr), scope(which)) for key, expr in used(template, words, phrases).items()}
        for mark, code in HOLE.findall(template):
            if code in phrases:
                continue
            text = filled_in(f"{{{mark}{code}}}", words, phrases).strip("`")
            one, other = evaluated(text, scope(which)), evaluated(code, scope(which) | named)
            found += [] if same(one, other) else [f"{text} is not {code} in {printed(node.written)}"]
    assert not found, "\n".join(found)


def reason(story: Any, hop: Any) -> Any:
    full = hop.node.op.because_for(hop.input_name, hop.node.call)
    free = story.has_letters(full, list(hop.node.inputs.values()))
    return full if free else hop.node.op.briefly_for(hop.input_name, hop.node.call)


def used(template: Any, words: Any, phrases: Any) -> Any:
    codes = [code for _, code in HOLE.findall(template) if code not in phrases]
    return {key: expr for key, expr in words.items() if any(re.search(rf"\b{key}\b", code) for code in codes)}


def same(one: Any, other: Any) -> Any:
    if not isinstance(one, torch.Tensor):
        return str(one) == str(other) or one == pytest.approx(other)
    return torch.allclose(one.double(), torch.as_tensor(other).double(), rtol=1e-4, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("which", mostly(WALKS))
def test_numbers_of_sums_and_paths_are_true(which: Any) -> None:
    """How often a tensor was copied, which axes are summed, how often it was used, what a clone keeps apart."""
    plan, told = run(which).plan, steps_of(run(which).plan).backward
    targets = [line.target for line in plan.lines]
    for line, step in zip(plan.lines, told, strict=True):
        text = " ".join(item["text"] for item in step["explanation"])
        for hop in own_hops(line):
            if hop.node.op is Expand and "sum over" in text:
                the_sum_is_autograds(hop.node, step["explanation"])
        if "Gradient " in text:
            assert f"of {targets.count(line.target)} for" in text
        elif " times, in" in text or " twice, in" in text or " twice in" in text:
            (times,) = re.findall(r"was used (twice|\d+)", text)
            uses = sum(1 if one.parts else len(one.uses) or 1 for one in plan.lines if one.target is line.target)
            assert uses == (2 if times == "twice" else int(times))
        if ".clone()" in text and "must stay as it is" in text:
            own = step["code"].split("\n")[-1]  # behind its helper lines
            original = evaluated(own.partition(" = ")[2].removesuffix(".clone()"), scope(which))
            (kept,) = re.findall(r"and `(\w+)` must stay", text)
            assert original.untyped_storage().data_ptr() == scope(which)[kept].untyped_storage().data_ptr()
            assert any(later.variable == line.variable and later.mode == "+=" for later in plan.lines)


def the_sum_is_autograds(node: Any, items: Any) -> None:
    small = torch.zeros(node.inputs["x"].shape, dtype=torch.float64, requires_grad=True)
    arriving = torch.rand(node.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    small.expand(node.shape).backward(arriving)
    copied = f"`{printed(node.inputs['x'].expr)}`"
    texts = [item["text"] for item in items if item["kind"] == "broadcast" and copied in item["text"]]
    for text in texts:
        if found := re.search(r"sum over ([^*]*)\*\*", text):
            axes = [int(axis) for axis in re.findall(r"axis (\d+)", found[1])]
            mine = arriving.sum(axes, keepdim="keepdim=True" in text)
            assert small.grad is not None
            assert torch.allclose(mine.reshape(small.shape), small.grad), text
        if found := re.search(r"used (\d+) times receives (\d+)", text):
            small.grad = None
            small.expand(node.shape).sum().backward()
            assert small.grad is not None
            assert {float(found[1]), float(found[2])} == set(small.grad.flatten().tolist()), text


PASSES = {"the gradient passes unchanged.": 1.0, "The gradient passes unchanged.": 1.0, "changes sign.": -1.0,
          "nothing gets through.": 0.0}  # fmt: skip
# Of some cells only.
PARTLY = ("Where", "Between", "Above", "Below", "A cell", "Cells", "the others")


@pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if op is not Expand], ids=lambda op: op.__name__)
def test_reasons_are_true_of_the_local_derivative(op: Any) -> None:
    """What a reason claims, in code or in the words for 1, −1 and 0, beside autograd's derivative of the same call."""
    samples = [op_samples.read(text, op) for text in op.samples]
    for program in (
        op_samples.case(call, sample)
        for sample in samples
        for spelling in op.written
        for call in op_samples.written(spelling, sample)
    ):
        if program is None or "out0" in program["source"] or op.__name__ == "Float":
            continue
        solution = solve(program)
        truth = derivatives(program, solution)
        for line in solution.lines:
            hop = line.path[0] if line.through and line.through.node.name == "out" else None
            if hop is not None and hop.node.op is op and line.target.name in truth:
                hold(op, hop, line.target.name, truth, solution)


def derivatives(program: Any, solution: Any) -> Any:
    """By input: autograd's derivative of the sum of `out`, and what it brings back from `out`'s own gradient."""
    given = torch_reference.tensors(program)
    wanted = torch_reference.wanted(program, given)
    names = torch_reference.scope(program, {n: t.requires_grad_() if n in wanted else t for n, t in given.items()})
    with torch_reference.DefaultDtype(torch.float64):
        exec(program["source"].partition("\n")[0], names)
    arriving = solution.gradients.get("dout")
    if arriving is None:
        return {}
    ones = torch.autograd.grad(names["out"].sum(), [given[n] for n in wanted], retain_graph=True, allow_unused=True)
    brought = torch.autograd.grad(names["out"], [given[n] for n in wanted], arriving, allow_unused=True)
    return {n: (a, b) for n, a, b in zip(wanted, ones, brought, strict=True) if a is not None}


def hold(op: Any, hop: Any, name: Any, truth: Any, solution: Any) -> None:
    (slope, brought), call = truth[name], hop.node.call
    names = torch_reference.scope({}, dict(solution.forward.values)) | solution.gradients
    arriving = solution.gradients["dout"]
    for template in filter(None, (op.because_for(hop.input_name, call), op.briefly_for(hop.input_name, call))):
        words = words_of(hop.node, hop)
        for code in claims(template, "="):
            value = torch.as_tensor(evaluated(filled_in(f"{{{code}}}", words, {}).strip("`"), names)).double()
            assert torch.allclose(gathered(value, hop.node, slope), slope, rtol=1e-6), f"{code}: {template}"
        for code in claims(template, ">"):
            value = evaluated(filled_in(f"{{{code}}}", words, {}).strip("`"), names)
            assert torch.allclose(value, brought, rtol=1e-6), f"{code}: {template}"
        for phrase, factor in PASSES.items():
            if phrase in template and not any(word in template for word in PARTLY):
                assert torch.allclose(arriving.sum_to_size(brought.shape) * factor, brought), template


def gathered(value: Any, node: Any, want: Any) -> Any:
    """A value for every cell of the result, or of the input, summed over the copies of a broadcast input."""
    full = max((tuple(node.shape), tuple(want.shape), tuple(value.shape)), key=lambda shape: (len(shape), shape))
    try:
        return value.expand(full).sum_to_size(want.shape)
    except RuntimeError:
        return value.expand(want.shape)


def test_sizes_of_rounding_are_set_as_in_a_book() -> None:
    document = json.loads(backend.walk({"lesson": "makemore-mlp", "arrays": "lists"}))
    assert not [
        fault for step in document["steps"] for fault in prose_lint.of_step(i["text"] for i in step["explanation"])
    ]
    notes = [item["text"] for step in document["steps"] for item in step["explanation"] if "rounding" in item["text"]]
    assert any("·10⁻" in text for text in notes)
    assert not [fault for text in notes for fault in prose_lint.problems(text)]


def test_what_is_said_often_is_said_briefly() -> None:
    told = steps_of(run("makemore-mlp").plan).backward
    arrivals = [item["text"] for step in told for item in step["explanation"] if item["kind"] == "upstream"]
    in_full = [text for text in arrivals if "how much the loss changes" in text]
    assert 1 <= len(in_full) <= 3
    assert all(re.fullmatch(r"`\w+` arrives(, and it is 1)?\.", text) for text in arrivals if text not in in_full)
    for step in told[1:]:
        assert step["explanation"][0]["kind"] == "upstream"
    everything = [item["text"] for step in told for item in step["explanation"]]
    assert sum("Nudge" in text for text in everything) <= 6


def test_a_line_names_the_gradient_that_it_reads() -> None:
    source = "h = torch.relu(x @ W1 + b1)\nloss = (h @ W2).sum()"
    tensors = {name: {"role": "parameter", "shape": shape, "init": "randn"}
               for name, shape in {"x": [3, 4], "W1": [4, 5], "b1": [5], "W2": [5, 2]}.items()}  # fmt: skip
    told = steps_of(run_of({"source": source, "tensors": tensors}).plan).backward
    step = next(step for step in told if step["node"] == "W1")
    assert step["explanation"][0]["text"].startswith("`dh_sum` arrives")
    assert not any("positive" in item["text"] for item in step["explanation"])


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("loss = (p * p).sum()", "`p` is used twice"),
        ("y = p * 2\nloss = (y + p).sum()", "`p` was used twice, in `loss` and in `y`"),
        ("\n".join(f"h{n} = p * {n + 1}" for n in range(9)) + "\nloss = (" + " + ".join(f"h{n}" for n in range(9)) + ").sum()",
         "`p` was used in 9 lines, `h0` … `h8`"),
    ],
)  # fmt: skip
def test_uses_are_told_in_the_order_in_which_gradients_arrive(source: Any, said: Any) -> None:
    told = steps_of(
        run_of({"source": source, "tensors": {"p": {"role": "parameter", "shape": [3], "init": "randn"}}}).plan
    ).backward
    paths = [item["text"] for step in told for item in step["explanation"] if item["kind"] == "accumulate"]
    assert not paths or any(said.replace("is used", "was used") in text for text in paths)
    assert paths or "p * p" in source


def test_a_factor_in_torch_add_is_told() -> None:
    tensors = {name: {"role": "parameter", "shape": [3], "init": "randn"} for name in ("a", "b")}
    told = steps_of(
        run_of({"source": "z = torch.add(a, b, alpha=2)\nloss = z.sum()", "tensors": tensors}).plan
    ).backward
    step = next(step for step in told if step["node"] == "b")
    assert "`b` is multiplied by `2` and added: the local derivative is `2`." in [
        i["text"] for i in step["explanation"]
    ]


def test_the_power_rule_leads_where_a_sum_is_inside() -> None:
    told = steps_of(run("makemore-mlp").plan).backward
    step = next(step for step in told if step["node"] == "bnvar")
    assert [item["text"].partition(":")[0] for item in step["explanation"] if item["kind"] == "local"] == ["Power rule"]


def test_reasons_stand_in_the_order_of_the_way_back() -> None:
    given = {name: {"role": "parameter", "shape": [3, 2], "init": "randn", "seed": 1} for name in ("q", "k")}
    walk = {"source": "s = q @ k.T / 4\nloss = s.square().sum()", "tensors": given}
    steps = json.loads(backend.walk(walk))["steps"]
    step = next(step for step in steps if step["code"].startswith("dk"))
    said = [item["text"] for item in step["explanation"] if item["kind"] == "local"]
    assert [text.split()[0] for text in said] == ["Dividing", "In", "Rows"]


@pytest.mark.parametrize("rows", [1, 2])
def test_of_one_row_nothing_is_summed(rows: int) -> None:
    sizes = {"x": [rows, 3], "W": [3, 4]}
    given = {name: {"role": "parameter", "shape": size, "init": "randn"} for name, size in sizes.items()}
    steps = json.loads(backend.walk({"source": "y = x @ W\nloss = (y * y).sum()", "tensors": given}))["steps"]
    said = [item["text"] for step in steps for item in step["explanation"] if " is used once for " in item["text"]]
    ends = {1: "the one row. Its gradient is one product: ", 2: "each of the 2 rows. Its gradient sums over them: "}
    assert said == [f"Each `W[k, j]` is used once for {ends[rows]}`x.T @ dy`."]
