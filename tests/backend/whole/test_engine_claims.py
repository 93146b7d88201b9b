"""What the chapters of the engine and of memory claim in words is true: of the engine, of PyTorch, and of the costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

from backend.course.own_engine.tape import outcome_of
from backend.course.own_engine.text import PIECES, engine
from backend.inspect.costs import costs
from backend.pipeline import run_of
from backend.program.chapters.chapter import Block
from backend.program.lessons import SHELF
from tests.support.chapter_claims import Claim, Claims

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
RUN = run_of({"lesson": "memory"})
PROGRAM = [chunk.code for chunk in RUN.plan.graph.chunks]
INPUTS: Mapping[str, torch.Tensor] = {
    node.variable: RUN.forward.tensors[node.variable] for node in RUN.plan.graph.inputs
}


def ran(lines: list[str], inputs: Mapping[str, torch.Tensor], without: str = "G") -> dict[str, Any]:
    """All names after lines of plain PyTorch; every input but the ones named `without` requires a gradient."""
    scope = {name: one.clone().requires_grad_(name not in without) for name, one in inputs.items()}
    exec("\n".join(lines), scope)
    return scope


def fails(act: Callable[[], Any], told: str) -> bool:
    try:
        act()
    except RuntimeError as error:
        return told in str(error)
    return False


def saved(lines: list[str], inputs: Mapping[str, torch.Tensor]) -> int:
    """The bytes that PyTorch saves, of tensors that were not there before."""
    kept: dict[int, int] = {}

    def pack(one: torch.Tensor) -> torch.Tensor:
        kept[one.untyped_storage().data_ptr()] = one.untyped_storage().nbytes()
        return one

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one):
        scope = ran(lines, inputs)
    given = {scope[name].untyped_storage().data_ptr() for name in inputs}
    return sum(size for place, size in kept.items() if place not in given)


def total(again: list[str], direction: str) -> int:
    return sum(one.multiply_adds for one in costs(RUN, again) if one.direction == direction)


@claims(
    "memory", "How many times as much does it cost as the forward pass alone? answer: 3 why: Once forward and twice"
)
def a_step() -> bool:
    return total([], "forward") + total([], "backward") == 3 * total([], "forward") > 0


@claims("memory", "With every layer run again on the way back, how many does it cost? answer: 4")
def a_step_with_checkpoints() -> bool:
    every = ["t1", "t2", "t3"]
    return sum(total(every, one) for one in ("forward", "again", "backward")) == 4 * total(every, "forward")


@claims("memory", "The whole network as a single part would save nothing.")
def one_part_or_two() -> bool:
    plain, whole, halves = (most_alive(parts) for parts in ([], [6], [3, 3]))
    return halves < plain <= whole


def most_alive(parts: list[int]) -> int:
    """How many of six layers' tensors are in memory at the fullest point of the way back, run again in such parts."""
    made: list[StorageWeakRef] = []
    alive: list[int] = []

    def layers(t: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
        for W in weights:
            t = (t @ W).tanh()
            made.append(StorageWeakRef(t.untyped_storage()))
        return t

    weights = [torch.eye(3, requires_grad=True) for _ in range(6)]
    for W in weights:
        W.register_hook(lambda _: alive.append(sum(not one.expired() for one in made)))
    t, left = torch.ones(2, 3), weights
    for length in parts:
        t, left = checkpoint(layers, t, *left[:length], use_reentrant=False), left[length:]
    layers(t, *left).sum().backward()
    return max(alive)


@claims("memory", "PyTorch leaves it out unless `x` requires a gradient.")
def without_the_gradient_of_the_data() -> bool:
    def products(without: str) -> int:
        with FlopCounterMode(display=False) as counted:
            ran([*PROGRAM, "loss.backward()"], INPUTS, without)
        return int(counted.get_total_flops() // 2)

    dx = next(one.multiply_adds for one in costs(RUN) if one.code == "dx = dh1 @ W1.T")
    return products("G") - products("Gx") == dx > 0


@claims("memory", "Which of the three must be kept? choices: none of them | `a` and `b` | `q` answer: none of them")
def kept_of_a_sum() -> bool:
    pair = {"a": INPUTS["x"], "b": INPUTS["G"]}
    return saved(["q = a + b", "loss = q.sum()"], pair) == 0 < saved(["q = a * b", "loss = q.exp().sum()"], pair)


@claims("memory", "the last layers are freed first.")
def order_of_freeing() -> bool:
    told = costs(RUN)
    lines = [one.code for one in told]
    freed = [lines.index(one.freed_by) for one in told if one.code.startswith(("t1 ", "t2 ", "t3 "))]
    return len(freed) == 3 and freed == sorted(freed, reverse=True)


@claims("memory", "`t1 *= 2` after tanh | `h1 *= 2` before tanh | `scored += 1` answer: `t1 *= 2` after tanh")
def writes_in_place() -> bool:
    def is_error(write: str) -> bool:
        at = next(n for n, line in enumerate(PROGRAM, 1) if line.startswith(f"{write.split()[0]} ="))
        made = ran([*PROGRAM[:at], write, *PROGRAM[at:]], INPUTS)
        return fails(made["loss"].backward, "modified by an inplace operation")

    return [is_error(write) for write in ("t1 *= 2", "h1 *= 2", "scored += 1")] == [True, False, False]


@claims("memory", "By what factor does the memory of the notes grow? answer: 2")
def twice_the_examples() -> bool:
    doubled = {name: one.repeat(2, 1) if name in "xG" else one for name, one in INPUTS.items()}
    return saved(PROGRAM, doubled) == 2 * saved(PROGRAM, INPUTS) > 0


@claims("build-the-engine", "Behind it are about a hundred, and you can write those that matter.")
def lines_of_the_engine() -> bool:
    return 90 < sum(bool(line.strip()) for line in engine().split("\n")) < 110


@claims("build-the-engine", "Twelve lines have a blank.")
def blanks() -> bool:
    parts = SHELF.chapters["build-the-engine"].parts
    asked = [one.argument for one in parts if isinstance(one, Block) and one.kind == "fill"]
    return len(asked) == 12 and sorted(asked) == sorted(name for name, piece in PIECES.items() if piece.answer)


@claims("build-the-engine", "The engine has four more operations, each with a closure of the same form:")
def more_operations() -> bool:
    lines = PIECES["more"].filled()
    return lines.count("    def ") == lines.count("(self,), lambda g: self.receive(") == 4


@claims("build-the-engine", "The list begins with a tensor that the program starts from, and ends with the loss.")
def order_of_the_tape() -> bool:
    scope: dict[str, Any] = {"torch": torch}
    exec(engine() + "\nw, x = Tensor(torch.ones(())), Tensor(torch.ones(()))\nloss = (w * x).tanh() * x", scope)
    order = scope["ordered"](scope["loss"])
    return order[0].parents == () and order[-1] is scope["loss"] and len(order) == 5


@claims("build-the-engine", "The `.grad` of a tensor in the middle is None. A second `backward` through the same tape")
def two_messages() -> bool:
    made = ran(["y = x * x", "z = y * y", "z.backward()"], {"x": torch.tensor(5.0)})
    with pytest.warns(UserWarning, match="not a leaf"):
        middle = made["y"].grad
    return middle is None and fails(made["z"].backward, "a second time")


@claims("build-the-engine", "is an error, as soon as one of its lines has saved something.")
def nothing_saved() -> bool:
    made = ran(["y = x + x", "y.backward()", "y.backward()"], {"x": torch.tensor(5.0)})
    return bool(made["x"].grad == 4)


@claims("build-the-engine", "What is in `x.grad`? answer: 10 why: The second time `y.back` is None")
def backward_twice() -> bool:
    lines = "x = Tensor(x)\ny = x * x\ny.backward()\ny.backward()\n"
    own = outcome_of(f"{engine()}\n\n{lines}", {"x": torch.tensor(5.0)}, ["x"])
    made = ran(["y = x * x", "y.backward()"], {"x": torch.tensor(5.0)})
    return bool(own.gradients["x"] == 10) and fails(made["y"].backward, "a second time")


@claims("build-the-engine", "Two arrows leave `h`, and two leave `t`.")
def uses_and_ways() -> bool:
    """Not two ways to the loss: of those, `h` has three."""
    chunks = [chunk.code for chunk in run_of({"lesson": "build-the-engine.branch"}).plan.graph.chunks]
    uses = {name: [line for line in chunks if name in re.findall(r"\w+", line.split(" = ")[1])] for name in "htu"}
    ways = {"loss": 1}
    for name in "uth":
        ways[name] = sum(ways[line.split(" = ")[0]] for line in uses[name])
    return [len(uses[name]) for name in "ht"] == [2, 2] and [ways[name] for name in "ht"] == [3, 2]


@claims("build-the-engine", "PyTorch frees what they saved once `backward` has used it, and keeps the notes.")
def what_a_kept_loss_keeps() -> bool:
    W, made = torch.eye(3, requires_grad=True), []

    def loss() -> torch.Tensor:
        t = (torch.ones(2, 3) @ W).tanh()
        made.append(StorageWeakRef(t.untyped_storage()))
        return (t @ W).sum()

    before, after = loss(), loss()
    after.backward()
    assert not made[0].expired()
    assert before.grad_fn is not None
    return made[1].expired() and after.grad_fn is not None and bool(after.grad_fn.next_functions)


@claims("build-the-engine", "`zero_grad` sets `.grad` to None unless you ask for zeros.")
def zeroed() -> bool:
    def after(**how: bool) -> torch.Tensor | None:
        one = torch.ones(2, requires_grad=True)
        one.sum().backward()
        torch.optim.SGD([one]).zero_grad(**how)
        return one.grad

    zeros = after(set_to_none=False)
    return after() is None and zeros is not None and not zeros.any()


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_of_a_chapter_is_true(claim: Claim) -> None:
    claim.verify()
