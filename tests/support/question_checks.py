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


def multiplied(step: Any, choice: Any, scope: Any) -> Any:
    """The line's product with this local derivative, summed as the picture says."""
    picture = step["picture"]
    arriving = next(operand["code"] for operand in picture["operands"] if operand["role"] != "local")
    made = value(choice["code"], scope) * value(arriving, scope)
    if step["code"].endswith(".sum()") and made.ndim < len(picture["axes"]):
        return made.sum()  # over all axes, of which this answer has fewer
    for axis in sorted((axis["axis"] for axis in picture["axes"]), reverse=True):
        made = made.sum(axis, keepdim=next(one["keepdim"] for one in picture["axes"]))
    return made


def written(step: Any, choice: Any, scope: Any) -> Any:
    """The gradient after the line, with this sign before what it brings."""
    sign, brought, before = choice["code"].split()[1], added(step, scope), scope["·before"]
    if sign == "=":
        return brought
    if before is None:
        raise NameError(choice["code"])
    return before + brought if sign == "+=" else before - brought


def piled_up(step: Any, choice: Any, scope: Any) -> Any:
    """What a row becomes that was picked several times, one use after the other."""
    found = re.search(r"\.index_put\(\((\w+),\), (\w+), accumulate=True\)$", step["code"])
    last = choice["words"].startswith("the last")
    if found is None:
        right = value(ast.unparse(ast.parse(step["code"]).body[-1].value).replace("True", str(not last)), scope)
        return right / int(choice["words"].split()[-1]) if "divided" in choice["words"] else right
    index, sent = scope[found[1]].reshape(-1), scope[found[2]]
    rows = sent.reshape(len(index), -1)
    gradient = step["code"].split("\n")[-1].split()[0]
    made = torch.zeros(scope[gradient].shape, dtype=rows.dtype)
    for place, row in zip(index.tolist(), rows, strict=True):
        made[place] = row.view_as(made[place]) + (0 if last else made[place])
    return made / len(sent) if "divided" in choice["words"] else made


def by_itself(_: Any, choice: Any, scope: Any) -> Any:
    return value(choice["code"], scope)


GIVEN = dict.fromkeys(("factor", "constant", "sign"), multiplied) | {
    "sum": by_itself,
    "product": by_itself,
    "accumulate": written,
    "repeats": piled_up,
}


def given(step: Any, choice: Any, scope: Any) -> Any:
    """What an answer computes, by torch; None where Python stops."""
    try:
        return GIVEN[step["question"]["kind"]](step, choice, scope)
    except (RuntimeError, NameError):
        return None


def scope_at(walk: Any, step: Any, seed: Any) -> Any:
    """All names after a step, and what had come to its gradient before it."""
    scope, earlier = walk.scope(step, seed), walk.earlier(step)
    before = walk.run.contributions[walk.steps.index(earlier[-1])].accumulated if earlier else None
    return scope | {"·before": before}


def truth_at(step: Any, scope: Any) -> Any:
    """What the right answer has to compute."""
    if step["question"]["kind"] != "accumulate":
        return added(step, scope)
    return added(step, scope) + (0 if scope["·before"] is None else scope["·before"])


def question_faults(walk: Any, step: Any) -> Any:
    """Answers that numbers don't give; choices that are as good as the right one, or as another; untrue reasons."""
    asked = step["question"]
    if asked is None:
        return []
    found = []
    for seed in (None, 1):  # this run's own gradients; then whatever may arrive
        scope = scope_at(walk, step, seed)
        tensors, truth = [given(step, choice, scope) for choice in asked["choices"]], truth_at(step, scope)
        right = tensors[asked["answer"]]
        if right is not None and right.shape != truth.shape:  # the line copies it, and would copy any other answer
            tensors = [copied(tensor, truth.shape) for tensor in tensors]
            right = tensors[asked["answer"]]
        if right is None or not same(right.broadcast_to(truth.shape), truth, size_of(step, scope)):
            found.append(f"{asked['prompt']} {asked['choices'][asked['answer']]['code']} isn't right")
        if seed is None:
            zero = residue_of(walk, step)
            found += [f"{asked['prompt']} {fault}" for fault in choice_faults(asked, tensors, right, zero)]
    return found


def residue_of(walk: Any, step: Any) -> float:
    """What rounding leaves of the step's gradient where it is truly zero, in either precision; less than 0 elsewhere."""
    nodes = {node["name"]: node for node in walk.document["nodes"]}
    gradient = nodes.get(step["node"], {"gradient": None})["gradient"]  # a part of a line may have no name
    verdict = gradient and gradient["verdict"]
    return float(verdict["residue"]) if verdict and verdict["kind"] == "residue" else -1.0


def copied(tensor: Any, shape: Any) -> Any:
    """A tensor in another shape, where it can be copied to it."""
    try:
        return None if tensor is None else tensor.broadcast_to(shape)
    except RuntimeError:
        return tensor


def size_of(step: Any, scope: Any) -> float:
    """The largest number that arrives: what is left of a sum that cancels is rounding."""
    codes = [operand["code"] for operand in step["picture"]["operands"] if operand["role"] != "local"]
    return max((float(value(code, scope).abs().max()) for code in codes if value(code, scope).numel()), default=0.0)


def choice_faults(asked: Any, tensors: Any, right: Any, residue: float = -1.0) -> Any:
    """Choices that read alike or give the same numbers, and what is said of them that isn't so."""
    choices = asked["choices"]
    read = [(choice["code"], choice["words"]) for choice in choices]
    found = [] if len(set(read)) == len(read) >= 2 else ["choices twice"]
    for i, (choice, tensor) in enumerate(zip(choices, tensors, strict=True)):
        if (None if tensor is None else list(tensor.shape)) != choice["shape"]:
            found.append(f"{choice['code']}: another shape")
        if (choice["why"] == "") != (i == asked["answer"]):
            found.append(f"{choice['code']}: a reason too many, or none")
        if cancels(choice["code"]) and not cancels(choices[asked["answer"]]["code"]):
            found.append(f"{choice['code']}: nobody would write that")
        alike = [j for j in range(i) if tensor is not None and tensors[j] is not None and same(tensor, tensors[j])]
        found += [f"{choice['code']} gives the same as {choices[j]['code']}" for j in alike]
        if i != asked["answer"] and tensor is not None:
            holds = reason_holds if tensor.shape != right.shape or right.abs().max() > residue else holds_of_zero
            found += [f"{choice['code']}: {choice['why']}"] * (not holds(choice["why"], tensor, right))
    return found


def cancels(code: str) -> bool:
    """Whether an answer divides a tensor by itself, or takes it away from itself."""
    try:
        parts = list(ast.walk(ast.parse(code, mode="eval")))
    except SyntaxError:  # `dx += …`
        return False
    pairs = [part for part in parts if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div | ast.Sub)]
    return any(ast.unparse(pair.left).lstrip("-") == ast.unparse(pair.right).lstrip("-") for pair in pairs)


def holds_of_zero(why: str, tensor: Any, right: Any) -> bool:
    """Whether no more is said of a wrong answer than holds where the right one is rounding."""
    if found := re.search(r"That gives (?:numbers of up to )?(\S+)(?: in size)?; the true gradient is zero\.$", why):
        most, said = float(tensor.abs().max()), abs(number_in(found[1]))
        return abs(said - most) <= 0.01 * most and most > 100 * float(right.abs().max())
    return re.search(r"comes? out|numbers? gets? |wrong by|That gives", why) is None


def slip_faults(walk: Any, step: Any) -> Any:
    """What a wrong answer is said to have mixed up, where that is not so of this line."""
    asked = step["question"]
    if asked is None:
        return []
    right = asked["choices"][asked["answer"]]["code"]
    wrong = [choice for number, choice in enumerate(asked["choices"]) if number != asked["answer"]]
    return [f"{one['code']}: {one['why']}" for one in wrong if not slip_holds(walk, step, right, one)]


def slip_holds(walk: Any, step: Any, right: str, choice: Any) -> bool:
    """Whether the first sentence of a wrong answer is true of the line, and of the line it goes back through."""
    why, scope = choice["why"], walk.scope(step)
    forward = next((one["code"] for one in walk.forward if one["node"] == step["through"]), "")
    if found := re.match(r"`(.+)` is the slope of `.+` in `(.+)`, not in `.+`\.", why):
        meant = ast.unparse(ast.parse(found[2]))
        through = [(one, written_by(walk, one)) for one in walk.steps if one["through"] == step["through"]]
        ways = [one for one, written in through if written == meant]
        # the same with its minus elsewhere: -(a * b) is told as -a * b
        ways = ways or [one for one, written in through if same(value(written, scope), value(meant, scope))]
        return len(ways) == 1 and [o["code"] for o in ways[0]["picture"]["operands"] if o["role"] == "local"] == [
            found[1]
        ]
    if found := re.match(r"The (\S+) in front is missing: the exponent", why):
        return exponents(forward) >= {float(found[1])}
    if why.startswith("The exponent has to drop"):
        return bool(exponents(forward) & exponents(choice["code"]))
    if found := re.match(r"This is the slope(?: of this path)? upside down: it is (−?1) over `(.+)`, large where", why):
        turned = value(right, scope) * value(found[2], scope)
        finite = turned.isfinite()
        return same(turned[finite], torch.full_like(turned[finite], -1.0 if "−" in found[1] else 1.0))
    if found := re.match(r"Here the slope(?: of this path)? is divided by `(.+?)`, not multiplied", why):
        return same(value(choice["code"], scope), value(right, scope) * value(found[1], scope) ** 2)
    if found := re.match(r"The factor `(.+)` is missing\.", why):
        return same(value(choice["code"], scope) * float(found[1]), value(right, scope) * 1.0)
    if found := re.match(r"`(.+)` enters with a minus: as it grows, `(.+)` shrinks", why):
        own = ast.unparse(walk.run.plan.by_name[step["through"]].written)
        inside = found[2] if found[2] != walk.variables.get(step["through"]) else own
        return mentions(inside, found[1]) <= 1  # none under another name of it
    if found := re.match(r"The factor `((?!1/).+)` is missing: going forward", why):
        return set(re.findall(r"[A-Za-z_]\w*", found[1])) <= set(re.findall(r"[A-Za-z_]\w*", forward)) | {"math"}
    if "Nothing here changes the sign" in why or "The minus sign is missing" in why:
        return right.startswith("-") == ("missing" in why)
    return True


def mentions(code: str, part: str) -> int:
    """How often an expression stands in a piece of code."""
    meant = ast.dump(ast.parse(part, mode="eval").body)
    line = ast.parse(code).body[0]
    tree = line.value if isinstance(line, ast.Assign | ast.Expr) else line
    return sum(ast.dump(node) == meant for node in ast.walk(tree))


def written_by(walk: Any, step: Any) -> str:
    """The tensor whose gradient a step writes, as the reader wrote it."""
    line = walk.run.plan.lines[walk.steps.index(step)]
    return ast.unparse(line.target.expr)


def exponents(code: str) -> set[float]:
    """The numbers that stand as exponents in a line."""
    powers = [
        node.right for node in ast.walk(ast.parse(code)) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    ]
    found = {float(ast.literal_eval(power)) for power in powers if re.fullmatch(r"-?[\d.]+", ast.unparse(power))}
    return found | {float(number) for number in re.findall(r"pow\((?:.*, )?(\d+(?:\.\d+)?)\)", code)}


def reason_holds(why: Any, tensor: Any, right: Any) -> bool:
    """Whether what a wrong answer is said to give is what it gives."""
    if found := re.search(r"That gives (.+); it must be (.+)\.", why):
        shown = [str(tuple(part.shape)) if part.shape else "a single number" for part in (tensor, right)]
        return list(found.groups()) == shown
    if found := re.search(r"number comes out (?:([\d.]+(?:·10\S+)?) times too (large|small)|with the wrong sign)", why):
        factor = 1.0 if found[1] is None else number_in(found[1]) ** (1 if found[2] == "large" else -1)
        turned = -1 if "wrong sign" in why else 1
        scale = float(right.abs().max())
        return bool((tensor - turned * factor * right).abs().max() <= 0.01 * abs(factor) * scale)
    if found := re.search(r"(?:(\d+) of (\d+) numbers gets?|Every number gets) the wrong sign", why):
        turned = int((tensor * right < 0).sum())
        return turned == (int(found[1]) if found[1] else right.numel()) and (
            not found[2] or int(found[2]) == right.numel()
        )
    if found := re.search(r"wrong by up to (\S+); the right one is (?:at most (\S+) in size|zero)\.", why):
        gap, most = float((tensor - right).abs().max()), float(right.abs().max())
        said = number_in(found[2]) if found[2] else 0.0
        return (
            abs(number_in(found[1]) - gap) <= 0.1 * gap
            and abs(said - most) <= 0.1 * most
            and (said > 0) == bool(found[2])
        )
    if why.endswith("the sign of this one is wrong."):  # nearly nothing was there before: all of it is turned
        return bool((tensor + right).abs().max() <= 1e-3 * right.abs().max())
    if not re.search("zeros only|not finite", why):
        return "sign" in why and same(tensor, -right)
    return ("zeros only" in why and not tensor.any()) or ("not finite" in why and not tensor.isfinite().all())


def number_in(text: str) -> float:
    """A number as it is typeset: `6·10⁻⁹`."""
    plain = text.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-"))
    return float(plain.replace("·10", "e"))


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
    for part in (a, b):  # `x / 2[i, k]` would be a cell of 2
        picked = ast.parse(f"{part}[i, k]", mode="eval").body
        if not isinstance(picked, ast.Subscript) or ast.dump(picked.value) != ast.dump(
            ast.parse(part, mode="eval").body
        ):
            return [f"{part} without brackets"]
    total = torch.einsum(f"{first}{second},{third}{fourth}->ij", value(a, scope), value(b, scope))
    return [] if same(total, made) and (found[7] == "runs") == option["own"] else [f"not {option['why']}"]


def combinations(codes: Any) -> Any:
    """All orders and transposes of two matrices, as text."""
    turned = [[code, f"{code}.T"] for code in codes]
    return {f"{a} @ {b}" for pair in (turned, turned[::-1]) for a, b in product(*pair)}
