"""Names the mistake in an answer: what can't be read, what isn't right everywhere, and what is wrong with the rest."""

from __future__ import annotations

import ast

from backend.language.errors import Refusal, Where, where_is
from backend.language.tree import nodes_in
from backend.language.unparse import printed
from backend.language.wording import listed, number_text
from backend.practice.answer import Answer, run_answer
from backend.practice.factor import lengths_in
from backend.practice.judge import CLOSE, Judged, agrees, at_sizes, distance, is_zero
from backend.practice.match import Match, luck_of, match_of
from backend.practice.repair import Repair, repair_of
from backend.practice.reply import Diagnosis, DiagnosisCode, Evidence
from backend.practice.trial import SIZES, largest
from backend.verify.compare import Verdict

UNKNOWN_NAME = frozenset({"name-near", "name-unknown", "function-unknown", "answer-elsewhere"})
SYNTAX = frozenset({"syntax", "character-unseen", "answer-empty", "program-empty"})
SHAPE = frozenset(
    {
        "shapes-do-not-fit", "broadcast-mismatch", "matmul-mismatch", "reshape-mismatch", "axis-missing",
        "index-out-of-range", "too-many-indices", "place-out-of-range", "view-apart", "operation-fails", "unpack-count",
    }
)  # fmt: skip

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
    "missing-local": "This is the upstream gradient alone: the local derivative is missing.",
    "missing-path": "A path is missing: `{target}` reaches the loss through {path} as well.",
    "overwritten-path": "`=` throws away what came by another path: the gradients of all paths are added, with `+=`.",
    "wrong-tensor": "One tensor stands in another's place.",
    "forward-value": "This is `{target}` itself, going forward, and not its gradient.",
    "unknown": "This isn't the gradient, and no usual mistake gives these numbers.",
}
# Codes whose own sentence says it better than a mutant's label.
PLAINER = frozenset({"missing-sum", "keepdim", "overwritten-path", "missing-path", "forward-value"})
# Mistakes of which torch's own complaint about shapes says the most.
OF_SHAPES = frozenset({"transposed", "wrong-axis", "keepdim", "missing-sum"})
BY_FACTOR = frozenset({"scale", "bessel", "sign"})
# Mistakes that lie in one piece of an answer, which an edit finds.
LOCATED = frozenset({"wrong-tensor", "keepdim", "wrong-axis", "bessel"})


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
    return {"code": code_of(refusal), "message": refusal.message, "where": where, "evidence": None}


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
        return _unstable(found, verdict) or _lucky(found)
    if found.right[0]:
        return _hard_coded(found)
    return _wrong(found)


def _failing(found: Judged, refusal: Refusal) -> Diagnosis:
    told = unreadable(refusal)
    if told["code"] == "unknown-name":
        return _later(found, told)
    if told["code"] != "shape":
        return told
    mended = repair_of(found)
    if mended is None or mended.code in ("scale", "sign", "bessel", "unknown"):
        return told
    return _mended(found, mended, refusal.message if mended.code in OF_SHAPES else "")


def _later(found: Judged, told: Diagnosis) -> Diagnosis:
    """A name that exists, and not yet."""
    name = str(told["where"]["text"]) if told["where"] else ""
    later = {line.variable for line in found.cases[0].trial.lines}
    if name == found.answer.variable:
        message = f"`{name}` is what is asked for: it has no value yet."
    elif name in later:
        message = f"`{name}` comes later in the backward pass: it needs `{found.answer.variable}` itself."
    else:
        return told
    return {**told, "message": message}


def _corrupted(found: Judged) -> Diagnosis | None:
    """An answer that writes into a tensor that is not its own."""
    changed = list(dict.fromkeys(name for outcome in found.outcomes for name in outcome.changed))
    if not changed:
        return None
    names = listed([f"`{name}`" for name in changed])
    guilty = _in_place(found.answer) or found.answer.value
    message = f"This also changes {names}: two names hold the same tensor. Write `.clone()` where it is taken over."
    return _told("aliasing", message, guilty, found, None)


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
    message = f"The rule is right in float64, but in float32 rounding spoils it: {lost}."
    return _told("close-but-unstable", message, found.answer.value, found, None)


def _lucky(found: Judged) -> Diagnosis | None:
    """Right here, by a rule that is wrong."""
    match = luck_of(found)
    if match is None:
        return None
    told = _matched(found, match)
    here = "because the true gradient is zero" if is_zero(found.cases[0]) else "in this program"
    note = f" Here it comes out the same, but only {here}: with another upstream gradient it wouldn't."
    return {**told, "message": told["message"] + note}


def _hard_coded(found: Judged) -> Diagnosis:
    """Right on the minibatch that is shown, and not on others: a number that stands for a size."""
    shown = found.cases[0]
    lengths = lengths_in(shown)
    guilty = None
    if all(_right_at_sizes(found, i) for i in found.counted if found.cases[i].trial.kind == SIZES):
        numbers = [n for one in found.answer.statements for n in nodes_in(one) if isinstance(n, ast.Constant)]
        known = {*lengths, *(length - 1 for length, name in lengths.items() if name.isidentifier() and length > 2)}
        guilty = next((n for n in numbers if isinstance(n.value, int | float) and n.value in known), None)
    right = sum(found.right[i] for i in found.counted)
    evidence: Evidence = {
        "hypothesis": "right on the shown minibatch alone", "factor": None, "matched": right, "of": len(found.counted),
    }  # fmt: skip
    if guilty is None:
        match = match_of(found)
        if match is not None and match.matched == match.of:
            return _matched(found, match)
        message = "This is right on the minibatch that is shown, and wrong on others: it holds numbers of this one."
        return _told("hard-coded", message, found.answer.value, found, evidence)
    written, value = printed(guilty), int(guilty.value)  # type: ignore[arg-type]  # one of the lengths: a whole number
    name = lengths.get(value, f"{lengths.get(value + 1)}-1")
    instead = f"write `{name}`" if name.rstrip("-1").isidentifier() else "take it from a `.shape`"
    message = f"`{written}` is a size of this minibatch, and the answer is wrong at another one: {instead}."
    return _told("hard-coded", message, guilty, found, evidence)


def _right_at_sizes(found: Judged, i: int) -> bool:
    case = found.cases[i]
    adapted = at_sizes(found.answer, case, found.cases[0], everything=True)
    return agrees(run_answer(adapted, case.scope, case.trial.precision).value, case)


def _wrong(found: Judged) -> Diagnosis:
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
        return _told("shape", _said("shape", found), found.answer.value, found, None)
    return _close(found) or _told("unknown", SAID["unknown"], found.answer.value, found, None)


def _close(found: Judged) -> Diagnosis | None:
    """Within a small share of the truth everywhere: a small number too many, or a precision too low."""
    shares = []
    for i in found.counted:
        value, truth = found.outcomes[i].value, found.cases[i].truth
        if value is None or value.shape != truth.shape or not largest(truth):
            return None
        shares.append(distance(value, truth) / largest(truth))
    if max(shares) > CLOSE:
        return None
    message = (
        f"This is close, and not the gradient: it differs by up to {number_text(max(shares), 2)} of the largest cell."
    )
    return _told("close-but-unstable", message, found.answer.value, found, None)


def _matched(found: Judged, match: Match) -> Diagnosis:
    evidence: Evidence = {
        "hypothesis": match.hypothesis,
        "factor": match.factor.text if match.factor else None,
        "matched": match.matched,
        "of": match.of,
    }
    return _told(match.code, _said(match.code, found, match), _place_of(found, match), found, evidence)


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
        "hypothesis": f"right with `{mended.instead}` for `{_text(mended.part)}`", "factor": None,
        "matched": mended.matched, "of": mended.of,
    }  # fmt: skip
    message = before or _said(mended.code, found, mended=mended)
    return _told(mended.code, message, mended.part, found, evidence)


def _text(node: ast.AST) -> str:
    try:
        return printed(node)
    except TypeError:
        return ""


def _said(code: DiagnosisCode, found: Judged, match: Match | None = None, mended: Repair | None = None) -> str:
    """The sentence of a code, in the learner's own names."""
    shown, truth = found.shown.value, found.cases[0].truth
    if match is not None and match.label and match.word and code not in PLAINER:
        return match.label
    if mended is not None and code == "wrong-tensor":
        return f"`{_text(mended.part)}` stands where `{mended.instead}` belongs."
    if mended is not None and code == "unknown":
        return f"`{_text(mended.part)}` is not the local derivative here."
    have = "" if shown is None else str(tuple(shown.shape)) if shown.ndim else "a single number"
    facts = {
        "target": found.answer.variable[1:], "have": have, "want": str(tuple(truth.shape)),
        "factor": match.factor.text if match and match.factor else "some number",
        "path": match.path if match else "",
    }  # fmt: skip
    if match is not None and match.path and code in BY_FACTOR and match.factor is not None:
        return f"What comes by `{match.path}` is {match.factor.text} times what it must be."
    template = SAID.get(code, SAID["unknown"])
    return template.format_map(facts)


def _told(code: DiagnosisCode, message: str, part: ast.AST, found: Judged, evidence: Evidence | None) -> Diagnosis:
    where: Where | None = where_is(part, found.answer.source) or where_is(found.answer.value, found.answer.source)
    return {"code": code, "message": message, "where": where, "evidence": evidence}
