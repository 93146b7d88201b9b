"""Judges what is written into a blank of the engine, which is run with it beside the walk of each program."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

import torch
from markupsafe import escape

from backend.course.own_engine.lines import backward_lines
from backend.course.own_engine.tape import Outcome, outcome_of
from backend.course.own_engine.text import Piece, engine, mistakes_of, piece_of
from backend.course.page_types import ChapterAnswer, TapeLine
from backend.course.prose import Role, html_of_line, sentence
from backend.course.question_words import UNREAD
from backend.course.runs import Runs, Walked
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.wording import cell_text, told_apart
from backend.engine.trace.graph import Node
from backend.present.steps import steps_of
from backend.program.chapters.chapter import Block

LONGEST, DIGITS, NEAR = 200, 3, 1e-9
START = "loss.backward()"


@dataclass(frozen=True)
class EngineTrial:
    """A program of the chapter, which the walk has been through, and the lines by which the engine goes through it."""

    walked: Walked
    lines: str

    @staticmethod
    def usual(walked: Walked) -> EngineTrial:
        """A program as it stands in the chapter, and a call of `backward`."""
        return EngineTrial(walked, "\n".join([*(chunk.code for chunk in walked.run.plan.graph.chunks), START]))

    @property
    def asked(self) -> dict[str, torch.Tensor]:
        """The true gradient of each tensor that the program starts from."""
        run = self.walked.run
        nodes: list[Node] = [node for node in run.plan.graph.inputs if f"d{node.variable}" in run.gradients]
        return {node.variable: run.gradients[f"d{node.variable}"] for node in nodes}

    def outcome(self, text: str) -> Outcome:
        """What an engine comes to with these lines behind it."""
        run = self.walked.run
        tensors = {node.variable: run.forward.tensors[node.variable] for node in run.plan.graph.inputs}
        wrapped = "".join(f"{name} = Tensor({name})\n" for name in tensors)
        return outcome_of(f"{text}\n\n{wrapped}{self.lines}\n", tensors, list(self.asked))


def trials(block: Block, runs: Runs) -> list[EngineTrial]:
    """What a blank is tried on: programs by name, and of the first one the lines that are written for the engine."""
    own = "\n".join(block.listed("lines"))
    found = list[EngineTrial]()
    for name in block.listed("tries"):
        walked = runs["" if name == "own" else name]
        found.append(EngineTrial(walked, own) if own and not found else EngineTrial.usual(walked))
    return found


def filled(block: Block, runs: Runs, roles: Mapping[str, Role], text: str) -> ChapterAnswer:
    """Whether a text belongs into the blank of a piece, and if not, what is wrong with it."""
    piece, every = piece_of(block.argument), trials(block, runs)
    answer = text.strip()[:LONGEST]
    if fault := _unread(answer):
        return _told(fault, [])
    found = [one.outcome(engine({piece.name: answer})) for one in every]
    tape = _beside(every[0], found[0])
    wrong = next(filter(None, (_wrong(trial, one) for trial, one in zip(every, found, strict=True))), "")
    if not wrong:
        why = html_of_line(block.options.get("why", ""), roles, block.lines.get("why", block.line))
        return {"right": True, "message": why, "answer": right_answer(piece), "tape": tape}
    return _told(_known(block, answer, every, found, roles) or sentence(wrong), tape)


def right_answer(piece: Piece) -> str:
    """What stands in the blank, as HTML."""
    return f"<code>{escape(piece.answer)}</code>"


def _told(message: str, tape: list[TapeLine]) -> ChapterAnswer:
    return {"right": False, "message": message, "answer": "", "tape": tape}


def _unread(answer: str) -> str:
    """Why a text is no piece of a line; empty for one that is."""
    try:
        body = ast.parse(answer).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return UNREAD
    return "" if len(body) == 1 and "\n" not in answer else "Write one line."


def _wrong(trial: EngineTrial, found: Outcome) -> str:
    """What is wrong with a run, in a sentence; empty where every gradient is the walk's."""
    if found.fault is not None:
        if found.fault.code.startswith("syntax"):
            return "With this in it, Python can't read the line. Check the signs and brackets."
        where = (found.fault.where or {}).get("text", "")
        stops = f"The engine stops at `{where}`." if where else ""
        hint = "" if found.fault.code.startswith("found-") else found.fault.hint  # those say what else to paste
        return f"{stops} {found.fault.message} {hint}".strip()
    for name, true in trial.asked.items():
        told = _difference(name, true, found.gradients[name])
        if told:
            return told
    return ""


def _difference(name: str, true: torch.Tensor, own: torch.Tensor | None) -> str:
    if own is None:
        return f"Nothing arrives at `{name}`: its `.grad` is None."
    if own.shape != true.shape:
        shapes = [shape_text(tuple(one.shape)) for one in (own, true)]
        return f"`{name}.grad` has the shape {shapes[0]}, and `{name}` has {shapes[1]}."
    if _same(own, true):
        return ""
    place = int((own - true).abs().nan_to_num(nan=torch.inf).argmax())
    numbers = told_apart([float(one.flatten()[place]) for one in (own, true)], DIGITS)
    cell = [int(at) for at in torch.unravel_index(torch.tensor(place), own.shape)] if own.dim() else []
    return f"`{name}.grad{cell_text(cell)}` is {numbers[0]} with your line; the walk has {numbers[1]}."


def _same(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    if one is None or other is None:
        return one is other
    if one.shape != other.shape:
        return False
    size = float(other.abs().nan_to_num().max()) if other.numel() else 0.0
    return bool(torch.allclose(one.double(), other.double(), rtol=NEAR, atol=NEAR * size, equal_nan=True))


def _known(block: Block, answer: str, every: list[EngineTrial], found: list[Outcome], roles: Mapping[str, Role]) -> str:
    """What the chapter says of this mistake, or of one that comes to the same numbers or to the same fault."""
    listed = mistakes_of(block)
    for mistake, told in listed:
        if _written_alike(mistake, answer):
            return html_of_line(told, roles, block.lines["wrong"])
    for mistake, told in listed:
        others = [one.outcome(engine({block.argument: mistake})) for one in every]
        if all(_alike(one, other) for one, other in zip(found, others, strict=True)):
            return html_of_line(told, roles, block.lines["wrong"])
    return ""


def _written_alike(one: str, other: str) -> bool:
    return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))


def _alike(one: Outcome, other: Outcome) -> bool:
    if one.fault is not None or other.fault is not None:
        faults = [run.fault and (run.fault.message, (run.fault.where or {}).get("line")) for run in (one, other)]
        return faults[0] == faults[1]
    return all(_same(one.gradients[name], other.gradients[name]) for name in one.gradients)


def _beside(trial: EngineTrial, found: Outcome) -> list[TapeLine]:
    """What the engine did, line by line, beside the lines of the walk; nothing where it stopped."""
    if found.fault is not None:
        return []
    walked = [step["code"] for step in steps_of(trial.walked.run.plan).backward]
    return [{"own": own, "walk": walk} for own, walk in zip_longest(backward_lines(found), walked, fillvalue="")]
