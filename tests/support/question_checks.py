"""Predict-first questions and candidates held against torch: one choice is right, and it is the one called right."""

from __future__ import annotations

import ast
import re
from itertools import product
from typing import Any

import torch

from tests.support.backward_claims import same, value


def added(step: Any, scope: Any) -> Any:
    """What the last statement of a step writes or adds, before it is placed."""
    last = ast.parse(step["code"]).body[-1]
    found = value(ast.unparse(last.value), scope)
    return -found if isinstance(last, ast.AugAssign) and isinstance(last.op, ast.Sub) else found


def axis_is_right(walk: Any, step: Any, choice: Any) -> Any:
    picture = step["picture"]
    scope = walk.scope(step, 1)
    result = scope[walk.target(step)]
    summed = value((picture["product"] or picture["operands"][0])["code"], scope)
    if choice == "none":
        return same(summed.reshape(-1), result.reshape(-1))
    axis = int(choice.removeprefix("axis ").partition(" ")[0])
    reduced = summed.sum(axis)
    return reduced.numel() == result.numel() and same(reduced.reshape(-1), result.reshape(-1))


def product_is_right(walk: Any, step: Any, choice: Any) -> Any:
    scope = walk.scope(step, 1)
    try:
        return same(value(choice, scope), added(step, scope))
    except RuntimeError:
        return False


def sign_is_right(walk: Any, step: Any, choice: Any) -> Any:
    """Positive numbers arrive: every cell that gets something is positive, or every one negative."""
    scope = walk.scope(step, 1, positive=True)
    cells = scope[walk.target(step)]
    cells = cells[cells != 0]
    kept, changed = bool((cells > 0).all()), bool((cells < 0).all())
    return {"it keeps its sign": kept, "it changes its sign": changed}[choice] and kept != changed


def shape_is_right(walk: Any, step: Any, choice: Any) -> Any:
    return choice == str(tuple(walk.run.gradients[walk.target(step)].shape))


RIGHT = {"axis": axis_is_right, "transpose": product_is_right, "sign": sign_is_right, "shape": shape_is_right}


def question_faults(walk: Any, step: Any) -> Any:
    """Answers that numbers don't give; choices of which two or none are right."""
    asked = step["question"]
    if asked is None:
        return []
    right = [i for i, choice in enumerate(asked["choices"]) if RIGHT[asked["kind"]](walk, step, choice)]
    found = (
        []
        if right == [asked["answer"]]
        else [f"{asked['prompt']} {right} and not {asked['answer']} of {asked['choices']}"]
    )
    return found if len(set(asked["choices"])) == len(asked["choices"]) >= 2 else [*found, "choices twice"]


LETTERS = re.compile(r"Σₖ (.+)\[(\w), (\w)\]·(.+)\[(\w), (\w)\] (runs|pairs)")


def candidate_faults(walk: Any, step: Any) -> Any:
    """Candidates whose shapes, marks or reasons are not what torch computes."""
    options = step["candidates"]
    sides = [operand["shape"] for operand in (step["picture"] or {"operands": []})["operands"]]
    if not options:
        ends = (
            [list(sides[0]), list(sides[1]), [sides[0][0], sides[1][-1]] if all(sides) else []]
            if len(sides) == 2
            else []
        )
        matrices = bool(ends) and step["picture"]["kind"] == "matmul" and all(len(side) == 2 for side in sides)
        copies = any(".expand(" in operand["code"] for operand in (step["picture"] or {"operands": []})["operands"])
        return ["no candidates"] if matrices and [1, 1] not in ends and not copies else []
    scope = walk.scope(step, 1)
    own = [option for option in options if option["own"]]
    codes = [operand["code"] for operand in step["picture"]["operands"]]
    there = value(codes[0], scope) @ value(codes[1], scope)
    if len(own) != 1 or len({option["code"] for option in options}) != 8:
        return [f"{len(own)} of {len(options)} are the line's own"]
    return [fault for option in options for fault in one_candidate(option, there, scope)]


def one_candidate(option: Any, there: Any, scope: Any) -> Any:
    left, right = (value(part, scope) for part in sides_of(option["code"]))
    found = [] if [list(left.shape), list(right.shape)] == [option["left"], option["right"]] else ["other shapes"]
    conforms = left.shape[1] == right.shape[0]
    made = left @ right if conforms else None
    if option["result"] != (list(made.shape) if made is not None else None):
        found.append("another result")
    if option["fits"] != (made is not None and made.shape == there.shape):
        found.append("fits or not")
    if option["own"] != (made is not None and same(made, there)):
        found.append("another one is right")
    return [f"{option['code']}: {fault}" for fault in found + reason_faults(option, made, there, scope)]


def sides_of(code: Any) -> Any:
    tree = ast.parse(code, mode="eval").body
    return ast.unparse(tree.left), ast.unparse(tree.right)


def reason_faults(option: Any, made: Any, there: Any, scope: Any) -> Any:
    """A reason in index letters has to be the candidate's own number, cell by cell."""
    if not option["fits"]:
        return []
    if option["why"] == "the right shape, but rows and columns are exchanged":
        return [] if same(made.T, there) else ["not exchanged"]
    found = LETTERS.search(option["why"])
    if found is None:
        return ["no index letters"]
    a, first, second, b, third, fourth, _ = found.groups()
    total = torch.einsum(f"{first}{second},{third}{fourth}->ij", value(a, scope), value(b, scope))
    return [] if same(total, made) and (found[7] == "runs") == option["own"] else [f"not {option['why']}"]


def combinations(codes: Any) -> Any:
    """All orders and transposes of two matrices, as text."""
    turned = [[code, f"{code}.T"] for code in codes]
    return {f"{a} @ {b}" for pair in (turned, turned[::-1]) for a, b in product(*pair)}
