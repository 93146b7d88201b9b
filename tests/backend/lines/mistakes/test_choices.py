"""The mistakes that are offered at a line: one of each kind, in plain words, each another line."""

from __future__ import annotations

from backend.lines.mistakes.codes import PLANTED
from backend.lines.mistakes.planting import possible
from backend.pipeline import material_of, planned

PLAN = planned(material_of({"lesson": "makemore-mlp"}))


def offered(code: str) -> dict[str, str]:
    number = next(i for i, line in enumerate(PLAN.lines) if line.code.startswith(code))
    return {choice.label: choice.mutant.source for choice in possible(PLAN, number)}


def test_of_each_kind_one_in_the_order_of_the_labels() -> None:
    order = list(PLANTED)
    for number, line in enumerate(PLAN.lines):
        codes = [choice.mutant.code for choice in possible(PLAN, number)]
        assert codes == sorted(set(codes), key=order.index), line.code
        assert all(choice.mutant.source != line.code for choice in possible(PLAN, number))
        assert 1 <= len(codes) <= 8


def test_labels_say_what_is_done_to_this_very_line() -> None:
    assert offered("db2 =")["the summed axis is kept"] == "db2 = dlogits.sum(0, keepdim=True)"
    assert offered("dbngain =")["keepdim is left out"] == "dbngain = (bnraw * dhpreact).sum(0)"
    assert offered("db2 =")["averaged instead of added"] == "db2 = dlogits.mean(0)"
    assert offered("dbndiff +=")["the constant factor is left out"] == "dbndiff += bndiff * dbndiff2"
    assert offered("dbndiff +=")["`=` instead of `+=`"] == "dbndiff = 2 * bndiff * dbndiff2"
    assert "accumulate=False" in offered("dC =")["repeats overwrite each other"]
    assert offered("dbndiff2 =")["n and n − 1 are mixed up"] == "dbndiff2 = 1/n * dbnvar * torch.ones_like(bndiff2)"


def test_a_line_that_runs_is_preferred() -> None:
    assert offered("dh =")["a matrix is turned the wrong way"] == "dh = W2 @ dlogits.T"
    assert offered("dlogits +=")["the upstream gradient is left out"].endswith("* torch.ones_like(dlogit_maxes)")
