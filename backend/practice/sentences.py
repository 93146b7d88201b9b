"""What is said of a wrong answer: a sentence for every code, in the learner's own names."""

from __future__ import annotations

import ast
import re

from backend.engine.language.tree import stored_in
from backend.engine.language.unparse import printed
from backend.lines.mistakes.codes import CODES, DiagnosisCode, closer
from backend.lines.mistakes.wording import NO_SIGN, TAKEN, WRONG_SIGN
from backend.practice.factor import Factor
from backend.practice.hypothesis import Match
from backend.practice.judge import Judged
from backend.practice.repair import Repair

ALONE = "This is the local derivative alone: the upstream"
ACCUMULATING = ("+=", "-=")
SUMMED = re.compile(r"\b(?:sum|mean|sum_to_size)\(")


def said(code: DiagnosisCode, found: Judged, match: Match | None = None, mended: Repair | None = None) -> str:
    """The sentence of a code, in the learner's own names."""
    told = _of_edit(mended, found) if mended else ""
    if code == "overwritten-path" and not told and len(found.cases[0].paths) == 1:
        return closer("overwritten-path", "places")
    if code == "missing-sum" and not told and _was_copied(found) and SUMMED.search(found.answer.source):
        return closer("missing-sum", "axes", target=found.answer.variable[1:])
    if "rule" in CODES[code].cases and not told and not _was_copied(found):
        return closer(code, "rule", target=found.answer.variable[1:])
    by_itself = told or (_of_match(code, found, match) if match else "")
    if match is None or match.factor is None or CODES[code].by_factor:
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
    stands = f"`{piece_text(mended.part)}` stands where `{mended.instead}` belongs."
    if not mended.told and not _is_known(mended.instead, found):
        is_gradient = piece_text(mended.part) in {line.variable for line in found.cases[0].trial.lines}
        stands = (TAKEN if is_gradient else "`{}` doesn't belong here.").format(piece_text(mended.part))
    return mended.told or CODES[mended.code].edited.format(stands=stands, part=piece_text(mended.part))


def _of_match(code: DiagnosisCode, found: Judged, match: Match) -> str:
    """What a hypothesis says by itself."""
    shown, truth = found.shown.value, found.cases[0].truth
    if code == "sign" and match.label and _is_of_a_term(match, found):
        ways = [line.through.node.variable for line in found.cases[0].lines if line.through]
        is_one = ways.count(match.path) == 1
        return closer("sign", "path", path=match.path) if is_one else closer("sign", "term")
    if match.label and match.word and not CODES[code].plainer and _speaks_of_known(match, found):
        return match.label
    if code == "transposed" and match.label and shown is not None and shown.shape == truth.shape:
        return closer("transposed", "product")
    if match.path and CODES[code].by_factor and match.factor is not None:
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
    return (CODES[code].said or CODES["unknown"].said).format_map(facts)


def piece_text(node: ast.AST) -> str:
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
