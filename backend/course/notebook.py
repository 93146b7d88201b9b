"""The engine as a notebook that runs in plain Python, with the chapter's programs and PyTorch beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import indent

from backend.course.blanks import EngineTrial, trials
from backend.course.own_engine.text import PIECES
from backend.course.runs import Runs
from backend.engine.execute.lookup import node_of
from backend.program.chapters.chapter import Block, Chapter
from backend.program.notebook import Cell, notebook

# What the same lines mean in PyTorch, by rules of its own: where it took the reader's it would agree with any.
CHECK = '''\
class own:
    no_grad, Cube, zero_grad = no_grad, Cube, staticmethod(zero_grad)


class theirs:
    no_grad = torch.no_grad

    class Cube:
        apply = staticmethod(lambda x: x**3)

    @staticmethod
    def zero_grad(parameters):
        torch.optim.SGD(parameters).zero_grad()


results = []


def check(name, program, **numbers):
    """Take a program through the engine and through PyTorch, and compare each gradient."""
    mine = {key: Tensor(torch.tensor(value)) for key, value in numbers.items()}
    torchs = {key: torch.tensor(value, requires_grad=True) for key, value in numbers.items()}
    program(own, **mine)
    program(theirs, **torchs)
    pairs = [(mine[key].grad, torchs[key].grad) for key in numbers]
    same = all(a is b if a is None or b is None else torch.allclose(a, b, rtol=1e-12) for a, b in pairs)
    print(f"{name:10s} {'agrees with PyTorch' if same else 'DIFFERS'}")
    results.append(same)'''
END = """\
print(f"{sum(results)} of {len(results)} programs agree with PyTorch")
assert all(results)"""
OF_BOTH = re.compile(r"\b(no_grad|Cube|zero_grad)\b")


def engine_notebook(chapter: Chapter, runs: Runs) -> str:
    """The file's text; a blank stands there as `«piece:right answer»`."""
    return notebook(_cells(chapter, runs))


def _cells(chapter: Chapter, runs: Runs) -> Iterator[Cell]:
    yield Cell("markdown", f"# {chapter.title}\n\nAn autograd engine, built in gradwalk's course, beside PyTorch.")
    yield Cell("code", "import torch\n\ntorch.set_default_dtype(torch.float64)")
    yield Cell("markdown", "## The engine")
    yield Cell("code", "".join(_marked(name) for name in PIECES).strip("\n"))
    yield Cell("markdown", "## Each program twice")
    yield Cell("code", CHECK)
    for name, trial in _trials(chapter, runs).items():
        yield Cell("markdown", f"### {name or 'first'}")
        yield Cell("code", _program(name or "first", trial))
    yield Cell("markdown", "## Side by side")
    yield Cell("code", END)


def _marked(name: str) -> str:
    piece = PIECES[name]
    return piece.filled(f"«{name}:{piece.answer}»") if piece.answer else piece.filled()


def _trials(chapter: Chapter, runs: Runs) -> dict[str, EngineTrial]:
    """Every program of the chapter, with the lines of the blank that writes some for the engine."""
    made = {name: EngineTrial.usual(runs[name]) for name in chapter.programs}
    for block in chapter.parts:
        if isinstance(block, Block) and block.kind == "fill" and "lines" in block.options:
            first = trials(block, runs)[0]
            made["" if block.listed("tries")[0] == "own" else block.listed("tries")[0]] = first
    return made


def _program(name: str, trial: EngineTrial) -> str:
    plan, run = trial.walked.run.plan, trial.walked.run
    inputs = [node.variable for node in plan.graph.inputs]
    body = indent(OF_BOTH.sub(r"kit.\1", trial.lines), "    ")
    given = ", ".join(f"{one}={run.forward.tensors[node_of(plan, one).variable].tolist()}" for one in inputs)
    return f"def {name}(kit, {', '.join(inputs)}):\n{body}\n\n\ncheck({name!r}, {name}, {given})"
