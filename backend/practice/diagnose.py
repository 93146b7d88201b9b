"""Names the mistake in an answer: what can't be read, what isn't right everywhere, and what is wrong with the rest."""

from __future__ import annotations

import ast
from typing import cast

from backend.engine.language.errors import Refusal, where_is
from backend.engine.language.pytree import largest_finite
from backend.engine.language.tree import nodes_in, number
from backend.engine.language.unparse import printed
from backend.engine.language.wording import listed, number_text
from backend.engine.verify.compare import Verdict
from backend.lines.mistakes.codes import DiagnosisCode, closer
from backend.practice.answer import Answer, run_answer
from backend.practice.coincidence import luck_of
from backend.practice.factor import lengths_in
from backend.practice.hypothesis import Match
from backend.practice.judge import CLOSE, Judged, agrees, at_sizes, distance, is_zero
from backend.practice.match import by_text, match_of
from backend.practice.one_hot import OneHot, one_hot_of
from backend.practice.repair import Repair, repair_of
from backend.practice.reply import Diagnosis, Evidence, Marked
from backend.practice.sentences import piece_text, said, with_factor
from backend.practice.trial import SIZES

UNKNOWN_NAME = frozenset({"name-near", "name-unknown", "function-unknown", "answer-elsewhere"})
SYNTAX = frozenset({"syntax", "character-unseen", "answer-empty", "program-empty"})
SHAPE = frozenset(
    {
        "shapes-do-not-fit", "broadcast-mismatch", "matmul-mismatch", "reshape-mismatch", "axis-missing",
        "index-out-of-range", "too-many-indices", "place-out-of-range", "view-apart", "operation-fails", "unpack-count",
    }
)  # fmt: skip

# Mistakes of which torch's own complaint about shapes says the most.
OF_SHAPES = frozenset({"transposed", "wrong-axis", "keepdim", "missing-sum"})
# Mistakes that lie in one piece of an answer, which an edit finds.
LOCATED = frozenset({"wrong-tensor", "keepdim", "wrong-axis", "bessel"})
# What is said of everything that is right here by a rule that isn't.
NO_RULE = "though its rule would not hold for another upstream gradient"
NO_DIFFERENCE = "Here that changes nothing"


def code_of(refusal: Refusal) -> DiagnosisCode:
    """The diagnosis that a refusal of the language amounts to."""
    if refusal.code in SYNTAX:
        return "syntax"
    if refusal.code in UNKNOWN_NAME:
        return "unknown-name"
    return "shape" if refusal.code in SHAPE else "not-allowed"


def unreadable(refusal: Refusal) -> Diagnosis:
    """The diagnosis of an answer that can't be read or run."""
    where = refusal.where if refusal.where is not None and "text" in refusal.where else None
    marked = cast("Marked | None", where)
    return {"code": code_of(refusal), "message": refusal.message, "where": marked, "evidence": None}


def diagnosis_of(found: Judged, verdict: Verdict | None) -> Diagnosis | None:
    """What is wrong with an answer; None where it is right."""
    refusal = found.shown.refusal
    if refusal is not None:
        return _failing(found, refusal)
    corrupted = _corrupted(found)
    if corrupted is not None:
        wrong = None if found.everywhere else _wrong(found)
        return corrupted if wrong is None or wrong["evidence"] is None else wrong
    if found.everywhere:
        return _unstable(found, verdict)
    if found.right[0]:
        return _hard_coded(found)
    return _wrong(found)


def _failing(found: Judged, refusal: Refusal) -> Diagnosis:
    told = unreadable(refusal)
    if told["code"] == "unknown-name":
        return _later(found, told)
    if told["code"] != "shape":
        return told
    rows = one_hot_of(found)
    if rows is not None:
        return {**_without_rows(found, rows), "code": "shape"}
    mended = repair_of(found)
    if mended is None or mended.code in ("scale", "bessel", "unknown"):
        return told
    if mended.code == "keepdim" and not mended.told:
        return _mended(found, mended, closer("keepdim", "lost", refusal=refusal.message, instead=mended.instead))
    return _mended(found, mended, refusal.message if mended.code in OF_SHAPES and not mended.told else "")


def _later(found: Judged, told: Diagnosis) -> Diagnosis:
    """A name that exists, and not yet."""
    name = str(told["where"]["text"]) if told["where"] else ""
    asked, later = found.answer.variable, {line.variable for line in found.cases[0].trial.lines}
    if name == asked:
        return {**told, "message": closer("unknown-name", "asked", asked=asked)}
    return {**told, "message": closer("unknown-name", "later", name=name, asked=asked)} if name in later else told


def _corrupted(found: Judged) -> Diagnosis | None:
    """An answer that writes into a tensor that is not its own."""
    changed = list(dict.fromkeys(name for outcome in found.outcomes for name in outcome.changed))
    if not changed:
        return None
    names = listed([f"`{name}`" for name in changed])
    guilty = _in_place(found.answer) or found.answer.value
    return _told("aliasing", closer("aliasing", "changed", names=names), guilty, found, None)


def _in_place(answer: Answer) -> ast.AST | None:
    """The first statement that changes a tensor in place."""
    for statement in answer.statements:
        for node in nodes_in(statement):
            if isinstance(node, ast.AugAssign) or (
                isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
            ):
                return node
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
                return node
    return None


def _unstable(found: Judged, verdict: Verdict | None) -> Diagnosis | None:
    """Right in float64, and not in the precision of the walk."""
    if verdict is None or verdict.level != "wrong":
        return None
    lost = (
        "not a number"
        if verdict.share is None or not verdict.share < float("inf")
        else f"off by {number_text(verdict.share, 2)} of the largest"
    )
    message = closer("close-but-unstable", "rounding", lost=lost)
    return _told("close-but-unstable", message, found.answer.value, found, None)


def luck_in(found: Judged) -> Diagnosis | None:
    """The mistake in an answer that is right all the same: with other upstream gradients it would not be."""
    match = luck_of(found)
    told = None if match is None else _matched(found, match)
    return told and {**told, "message": f"{told['message']} {NO_DIFFERENCE}, so this is right, {NO_RULE}."}


def _hard_coded(found: Judged) -> Diagnosis:
    """Right on the minibatch that is shown, and not on others: a number that stands for a size."""
    guilty = _size_in(found)
    right = sum(found.right[i] for i in found.counted)
    evidence: Evidence = {
        "hypothesis": "right on the shown minibatch alone", "factor": None, "matched": right, "of": len(found.counted),
    }  # fmt: skip
    if guilty is None:
        match = match_of(found)
        if match is not None and match.matched == match.of:
            return _matched(found, match)
        return _told("hard-coded", closer("hard-coded", "numbers"), found.answer.value, found, evidence)
    message = closer("hard-coded", "size", number=printed(guilty), mend=_size(found, guilty))
    return _told("hard-coded", message, guilty, found, evidence)


def _size_in(found: Judged) -> ast.expr | None:
    """The first number that stands for a size, one with a name in the program if there is; None where none does."""
    if not all(_right_at_sizes(found, i) for i in found.counted if found.cases[i].trial.kind == SIZES):
        return None
    names = _names_of_sizes(found)
    nodes = [n for one in found.answer.statements for n in nodes_in(one) if isinstance(n, ast.Constant)]
    sizes = [node for node in nodes if number(node) in names]
    return min(sizes, key=lambda node: not _is_name(names[number(node)]), default=None)


def _names_of_sizes(found: Judged) -> dict[float | None, str]:
    """What the program calls a size, one less than it, and the cells of two axes; a size without a name is a number."""
    lengths = lengths_in(found.cases[0])
    cells: dict[float | None, str] = {a * b: "" for a in lengths for b in lengths}
    fewer: dict[float | None, str] = {
        length - 1: f"{name}-1" for length, name in lengths.items() if length > 3 and name.isidentifier()
    }
    return cells | fewer | dict[float | None, str](lengths.items())


def _is_name(size: str) -> bool:
    return size.removesuffix("-1").isidentifier()


def _size(found: Judged, guilty: ast.expr) -> str:
    name = _names_of_sizes(found)[number(guilty)]
    if _is_name(name):
        return f"write `{name}`"
    return "take it from a `.shape`" if name else "count them with `.numel()`"


def _right_at_sizes(found: Judged, i: int) -> bool:
    case = found.cases[i]
    adapted = at_sizes(found.answer, case, found.cases[0], everything=True)
    return agrees(run_answer(adapted, case.scope, case.trial.precision).value, case)


def _wrong(found: Judged) -> Diagnosis:
    if _is_nothing(found):
        return _of_nothing(found)
    rows = one_hot_of(found)
    if rows is not None:
        return _without_rows(found, rows)
    match = match_of(found)
    if match is not None and match.code == "unknown":
        better = repair_of(found, {"wrong-tensor"})
        return _matched(found, match) if better is None else _mended(found, better, "")
    if match is not None and match.matched == match.of:
        return _matched(found, match)
    mended = repair_of(found)
    if match is not None and (mended is None or mended.matched < mended.of):
        return _matched(found, match)
    if mended is not None:
        return _mended(found, mended, "")
    shown, truth = found.shown.value, found.cases[0].truth
    if shown is not None and shown.shape != truth.shape:
        return _told("shape", said("shape", found), found.answer.value, found, None)
    return _close(found) or _told("unknown", said("unknown", found), found.answer.value, found, None)


def _is_nothing(found: Judged) -> bool:
    """Whether an answer is zero wherever it was run, and shouldn't be: many hypotheses are that by chance."""
    if is_zero(found.cases[0]):
        return False
    values = [found.outcomes[i].value for i in found.counted]
    return found.shown.value is not None and all(value is None or not largest_finite(value) for value in values)


def _of_nothing(found: Judged) -> Diagnosis:
    match = match_of(found, (by_text,))
    if match is not None:
        return _matched(found, match)
    mended = repair_of(found)
    shown, truth = found.shown.value, found.cases[0].truth
    if mended is not None:
        return _mended(found, mended, "")
    if shown is not None and shown.shape != truth.shape:
        return _told("shape", said("shape", found), found.answer.value, found, None)
    return _told("unknown", closer("unknown", "zeros"), found.answer.value, found, None)


def _without_rows(found: Judged, rows: OneHot) -> Diagnosis:
    evidence: Evidence = {
        "hypothesis": f"right with `{printed(rows.edit.instead)}` for `{piece_text(rows.edit.part)}`",
        "factor": rows.factor.text if rows.factor else None, "matched": len(found.counted),
        "of": len(found.counted),
    }  # fmt: skip
    still = with_factor(rows.factor) if rows.factor else ""
    return _told("wrong-tensor", f"{rows.edit.label}{still}", rows.edit.part, found, evidence)


def _close(found: Judged) -> Diagnosis | None:
    """Within a small share of the truth everywhere: a small number too many, or a precision too low."""
    shares = []
    for i in found.counted:
        value, truth = found.outcomes[i].value, found.cases[i].truth
        if value is None or value.shape != truth.shape or not largest_finite(truth):
            return None
        shares.append(distance(value, truth) / largest_finite(truth))
    if max(shares) > CLOSE:
        return None
    message = closer("close-but-unstable", "close", share=number_text(max(shares), 2))
    return _told("close-but-unstable", message, found.answer.value, found, None)


def _matched(found: Judged, match: Match) -> Diagnosis:
    evidence: Evidence = {
        "hypothesis": match.hypothesis,
        "factor": match.factor.text if match.factor else None,
        "matched": match.matched,
        "of": match.of,
    }
    return _told(match.code, said(match.code, found, match), _place_of(found, match), found, evidence)


def _place_of(found: Judged, match: Match) -> ast.AST:
    """Where in the answer the mistake is, as far as it can be told."""
    answer = found.answer
    if match.code == "overwritten-path":
        guilty = [
            one for one in answer.assignments() if isinstance(one, ast.Assign) or isinstance(one.target, ast.Subscript)
        ]
        return guilty[-1] if guilty else answer.value
    if match.code in LOCATED:
        mended = repair_of(found, {match.code})
        return answer.value if mended is None else mended.part
    return answer.value


def _mended(found: Judged, mended: Repair, before: str) -> Diagnosis:
    evidence: Evidence = {
        "hypothesis": f"right with `{mended.instead}` for `{piece_text(mended.part)}`", "factor": None,
        "matched": mended.matched, "of": mended.of,
    }  # fmt: skip
    message = before or said(mended.code, found, mended=mended)
    return _told(mended.code, message, mended.part, found, evidence)


def _told(code: DiagnosisCode, message: str, part: ast.AST, found: Judged, evidence: Evidence | None) -> Diagnosis:
    where = where_is(part, found.answer.source) or where_is(found.answer.value, found.answer.source)
    return {"code": code, "message": message, "where": cast("Marked | None", where), "evidence": evidence}
