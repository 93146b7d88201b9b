"""What is said of a wrong answer: a sentence for every code, in the learner's own names."""

from __future__ import annotations

import ast
import re

from backend.language.tree import stored_in
from backend.language.unparse import printed
from backend.mistakes.wording import NO_SIGN, TAKEN, WRONG_SIGN
from backend.practice.factor import Factor
from backend.practice.hypothesis import Match
from backend.practice.judge import Judged
from backend.practice.repair import Repair
from backend.practice.reply import DiagnosisCode

SAID: dict[DiagnosisCode, str] = {
    "missing-sum": "`{target}` was copied going forward, so its gradients add up: the sum is missing.",
    "wrong-axis": "The sum runs along other axes than those that `{target}` was copied along.",
    "keepdim": "The numbers are right, but the shape is {have}: `{target}` has {want}.",
    "transposed": "Rows and columns are exchanged: `{target}` has the shape {want}.",
    "shape": "This gives {have}, and `{target}` has the shape {want}.",
    "sign": "The sign is wrong.",
    "scale": "This is {factor} times the gradient.",
    "bessel": "A divisor is off by one: this is {factor} times the gradient.",
    "missing-upstream": "This is the local derivative alone: the upstream gradient is missing.",
    "missing-local": "A local derivative is missing.",
    "missing-path": "A path is missing: `{target}` reaches the loss through {path}.",
    "overwritten-path": "`=` throws away what came by another path: the gradients of all paths are added, with `+=`.",
    "wrong-tensor": "One tensor stands in another's place.",
    "forward-value": "This is `{target}` itself, going forward, and not its gradient.",
    "unknown": "I don't recognise this one. It isn't the gradient: see where the two differ most.",
}
ALONE = "This is the local derivative alone: the upstream"
# What is said of a sum that belongs to the rule itself, where nothing was copied.
OF_THE_RULE: dict[DiagnosisCode, str] = {
    "missing-sum": "A sum is missing: each number of `{target}` moves several others, and their gradients add up.",
    "wrong-axis": "The sum runs along the wrong axis.",
}
# Of a sum that is there, but not along every axis.
OF_MORE_AXES = "`{target}` was copied along more axes than are summed here."
OF_PLACES = (
    "What is picked several times gets several gradients, and they add up: here all but one are lost. "
    "`index_add_` adds them, or `index_put` with `accumulate=True`."
)
# Codes whose own sentence says it better than a mutant's label.
PLAINER = frozenset({"missing-sum", "keepdim", "overwritten-path", "missing-path", "forward-value"})
ACCUMULATING = ("+=", "-=")
SUMMED = re.compile(r"\b(?:sum|mean|sum_to_size)\(")
BY_FACTOR = frozenset({"scale", "bessel", "sign"})


def said(code: DiagnosisCode, found: Judged, match: Match | None = None, mended: Repair | None = None) -> str:
    """The sentence of a code, in the learner's own names."""
    told = _of_edit(mended, found) if mended else ""
    if code == "overwritten-path" and not told and len(found.cases[0].paths) == 1:
        return OF_PLACES
    if code == "missing-sum" and not told and _was_copied(found) and SUMMED.search(found.answer.source):
        return OF_MORE_AXES.format(target=found.answer.variable[1:])
    if code in OF_THE_RULE and not told and not _was_copied(found):
        return OF_THE_RULE[code].format(target=found.answer.variable[1:])
    by_itself = told or (_of_match(code, found, match) if match else "")
    if match is None or match.factor is None or code in BY_FACTOR:
        return by_itself or _plain(code, found, match)
    # what the printed lines keep in helpers has a factor of its own, which nobody sees
    still = with_factor(match.factor) if by_itself else ""
    return (by_itself or _plain(code, found, match)).replace(ALONE, "The upstream") + still


def with_factor(factor: Factor) -> str:
    """What is left to mend beside a mistake that was named."""
    times = (
        "its sign would still be wrong"
        if factor.text == "-1"
        else f"it would still be {factor.text} times the gradient"
    )
    return f" With that mended, {times}."


def _of_edit(mended: Repair, found: Judged) -> str:
    """What an edit that mends the answer says by itself."""
    stands = f"`{text_of(mended.part)}` stands where `{mended.instead}` belongs."
    if not mended.told and not _is_known(mended.instead, found):
        is_gradient = text_of(mended.part) in {line.variable for line in found.cases[0].trial.lines}
        stands = (TAKEN if is_gradient else "`{}` doesn't belong here.").format(text_of(mended.part))
    return mended.told or {
        "scale": f"A factor is wrong: {stands}",
        "bessel": f"A divisor is off by one: {stands}",
        "wrong-tensor": stands,
        "unknown": f"`{text_of(mended.part)}` is not the local derivative here.",
    }.get(mended.code, "")


def _of_match(code: DiagnosisCode, found: Judged, match: Match) -> str:
    """What a hypothesis says by itself."""
    shown, truth = found.shown.value, found.cases[0].truth
    if code == "sign" and match.label and _is_of_a_term(match, found):
        ways = [line.through.node.variable for line in found.cases[0].lines if line.through]
        return f"{f'What comes by `{match.path}`' if ways.count(match.path) == 1 else 'A term'} has the wrong sign."
    if match.label and match.word and code not in PLAINER and _speaks_of_known(match, found):
        return match.label
    if code == "transposed" and match.label and shown is not None and shown.shape == truth.shape:
        return "A matrix of the product stands the wrong way round: with `.T`, or without it."
    if match.path and code in BY_FACTOR and match.factor is not None:
        return f"What comes by `{match.path}` is {match.factor.text} times what it must be."
    return ""


def _is_of_a_term(match: Match, found: Judged) -> bool:
    """Whether a mutant turns one term of several, and no sign that the answer itself shows."""
    if match.word in ACCUMULATING:
        return not any(sign in found.answer.source for sign in ACCUMULATING)
    return bool(match.path) and match.label in (NO_SIGN, WRONG_SIGN)


def _plain(code: DiagnosisCode, found: Judged, match: Match | None) -> str:
    shown = found.shown.value
    facts = {
        "target": found.answer.variable[1:],
        "have": "" if shown is None else str(tuple(shown.shape)) if shown.ndim else "a single number",
        "want": str(tuple(found.cases[0].truth.shape)),
        "factor": match.factor.text if match and match.factor else "some number",
        "path": match.path if match else "",
    }
    return SAID.get(code, SAID["unknown"]).format_map(facts)


def text_of(node: ast.AST) -> str:
    """A piece of an answer as it is printed."""
    try:
        return printed(node)
    except TypeError:
        return ""


def _was_copied(found: Judged) -> bool:
    """Whether the program copies the tensor itself along an axis, and not what is made of it."""
    return any(hop.node.is_broadcast for line in found.cases[0].lines for hop in line.uses)


def _speaks_of_known(match: Match, found: Judged) -> bool:
    """Whether a mutant's sentence names what the answer or the program has."""
    return _is_known(match.label, found)


def _is_known(text: str, found: Judged) -> bool:
    """Whether a text names no helper of the printed lines: nobody has typed those."""
    lines = found.cases[0].trial.lines
    helpers = {line.variable for line in lines if line.inner}
    helpers |= {name for line in lines for name in stored_in(*line.statements[:-1]) if name != line.variable}
    return not any(name in helpers and name not in found.answer.source for name in re.findall(r"\w+", text))
