"""Which cells come from which: what the documents say is what changes when a cell is changed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import torch

from backend.lines.index_notation.cells import CellReads
from backend.pipeline import run_of
from backend.present.drawings import drawings_of
from tests.support.cell_reads import Backward, Cells, arrives, changed, forward_change, nudged, some_cells
from tests.support.programs import REQUESTS, run_for, some, usual

# Lines of which no formula tells the cells: masks and slices that are held by a name, sums over traces.
UNTOLD = 12


def values_of(run: Any) -> dict[str, Any]:
    return {name: tensor.numpy() for name, tensor in run.forward.tensors.items()}


def is_exact(cells: CellReads, of: str) -> bool:
    """Whether every index of a source is known, and no condition hides some of them."""
    return all(None not in read["at"] and not read["where"] for read in cells["reads"] if read["of"] == of)


@pytest.mark.parametrize("name", some(REQUESTS, 16))
def test_a_forward_cell_comes_from_the_cells_that_change_it(name: str) -> None:
    run = run_for(name, "float64")
    graph, values = run.plan.graph, values_of(run)
    for number, told in enumerate(drawings_of(run.plan).forward_cells):
        names = {read["of"] for cells in told for read in cells["reads"]} & set(run.plan.by_name)
        for source in names:
            variable = run.plan.by_name[source].variable
            tensor = run.forward.tensors[variable]
            for cell in some_cells(tuple(tensor.shape)):
                said = arrives(told, source, cell, tuple(tensor.shape), values)
                found = forward_change(run, number, variable, cell)
                where = f"{graph.chunks[number].code}: {source}{list(cell)} {told}"
                assert found <= said, where
                if all(is_exact(cells, source) for cells in told) and found and tensor.is_floating_point():
                    assert_all(said, found, where)


@pytest.mark.parametrize("clamp", ["torch.clamp_min(x, 0.1)", "x.clamp(max=0.5)", "x.clamp_max(w)", "x.clamp(-1, 1)"])
def test_a_cell_between_bounds_comes_from_its_own_cell(clamp: str) -> None:
    tensors: Any = {name: {"role": "parameter", "shape": [2, 3], "init": "randn"} for name in "xw"}
    cells = drawings_of(
        run_of({"source": f"y = {clamp}\nloss = (y * w).sum()", "tensors": tensors}).plan
    ).forward_cells[0]
    assert cells[0]["reads"]
    assert all(read["at"] == ["i", "j"] for read in cells[0]["reads"]), clamp


@pytest.mark.parametrize(
    ("line", "shape", "place"),
    [
        ("x.topk(2, dim=1)[0]", [3, 4], ["i", None]),
        ("x.sort(0, descending=True).values", [3, 4], [None, "j"]),
        ("x.topk(2, dim=1)[0]", [2, 5, 3], ["i", None, "k"]),
        ("F.cosine_similarity(x, y, dim=1)", [2, 5, 3], ["i", None, "j"]),
        ("F.cosine_similarity(x, y, -1)", [2, 5], ["i", None]),
    ],
)
def test_what_may_be_any_cell_is_one_along_that_axis(line: str, shape: list[int], place: list[str | None]) -> None:
    tensors: Any = {name: {"role": "parameter", "shape": shape, "init": "randn"} for name in "xy"}
    run = run_of({"source": f"h = {line}\nloss = (h * h).sum() + (x * y).sum()", "tensors": tensors})
    told = drawings_of(run.plan).forward_cells[0]
    assert [read["at"] for read in told[0]["reads"]] == [place] * (1 + ("y" in line))
    for cell in some_cells(tuple(shape)):  # no cell outside is one that matters
        assert forward_change(run, 0, "x", cell) <= arrives(told, "x", cell, tuple(shape), values_of(run))


@pytest.mark.parametrize(
    ("line", "place"),
    [("x.expand_as(y)", ["0", "j"]), ("x.view_as(y[0])", ["0", "i"]), ("w.reshape_as(y)", ["3 * i + j"])],
)
def test_a_tensor_that_lends_its_shape_is_not_read(line: str, place: list[str]) -> None:
    shapes = {"x": [1, 3], "y": [2, 3], "w": [6]}
    tensors: Any = {name: {"role": "parameter", "shape": shape, "init": "randn"} for name, shape in shapes.items()}
    run = run_of({"source": f"h = {line}\nloss = (h * h).sum() + (x * y).sum() * w.sum()", "tensors": tensors})
    reads = next(cells for cells in drawings_of(run.plan).forward_cells[0] if cells["of"] == "result")["reads"]
    assert [(read["of"], read["at"]) for read in reads] == [(line[0], place)]


def test_a_row_by_itself_is_read_anywhere() -> None:
    tensors: Any = {"x": {"role": "parameter", "shape": [4], "init": "randn"}}
    source = "t = torch.tensor(2)\nh = F.cross_entropy(x, t, label_smoothing=0.1)\nloss = 2 * h"
    told = drawings_of(run_of({"source": source, "tensors": tensors}).plan).forward_cells
    assert [None] in [read["at"] for cells in told for one in cells for read in one["reads"] if read["of"] == "x"]


def assert_all(said: Cells, found: Cells, where: str) -> None:
    """Nearly all the cells that are told of do change: a few meet a zero, or a branch not taken."""
    assert len(found) >= 0.2 * len(said), where


@pytest.mark.parametrize("name", some(REQUESTS, 16))
def test_a_gradient_cell_comes_from_the_operands_cells_that_change_it(name: str) -> None:
    run = run_for(name, "float64")
    values = values_of(run)
    for number, picture in enumerate(drawings_of(run.plan).pictures):
        told = {cells["of"]: cells for cells in drawings_of(run.plan).picture_cells[number]}
        if picture is None or "result" not in told:
            continue
        line = Backward(run, number)
        operands, outcome = line.at(line.scope)
        for source in line.names():
            for cell in some_cells(tuple(line.scope[source].shape), 2):
                for other in nudged(line.scope[source], cell):
                    if not other.is_floating_point():
                        continue
                    moved, after = line.at({**line.scope, source: other})
                    found = changed(outcome, after)
                    said, certain = told_by(told, operands, moved, values)
                    where = f"{line.line.code}: {source}{list(cell)} {told}"
                    assert found <= said, where
                    hides = picture.kind == "other" or picture.then == "mask"  # what is 0 there is not drawn
                    hides = hides or (line.puts and not has_conditions(told))  # it is put into some of them
                    if certain and not hides and not any((one == 0).any() for one in operands):
                        assert said == found, where


def has_conditions(told: dict[str, CellReads]) -> bool:
    return any(read["where"] for cells in told.values() for read in cells["reads"])


def told_by(
    told: dict[str, CellReads], operands: list[torch.Tensor], moved: list[torch.Tensor], values: dict[str, Any]
) -> tuple[Cells, bool]:
    """Where the cells of operands that have changed come to, through the product; and whether all of it is sure."""
    found: Cells = set()
    sure = True
    for place, (operand, after) in enumerate(zip(operands, moved, strict=True)):
        of = f"operand {place}"
        first = told.get("product", told["result"])
        sure = sure and is_exact(first, of)
        shape = tuple(operand.shape)
        cells = changed(operand, after)
        sure = sure and len(cells) <= 1
        for cell in cells:
            found |= arrives(list(told.values()), of, cell, shape, values)
    return found, sure and sum(bool(changed(a, b)) for a, b in zip(operands, moved, strict=True)) == 1


def test_every_kind_of_picture_tells_its_cells() -> None:
    """A new kind of picture whose cells nobody can tell would be seen here."""
    kinds: Counter[tuple[str, str, bool]] = Counter()
    for name in usual():
        plan = run_for(name).plan
        for picture, told in zip(drawings_of(plan).pictures, drawings_of(plan).picture_cells, strict=True):
            if picture is not None:
                kinds[picture.kind, picture.then, any(cells["of"] == "result" for cells in told)] += 1
    untold = {(kind, then): count for (kind, then, good), count in kinds.items() if not good}
    for (kind, then), count in untold.items():
        assert kinds[kind, then, True] > count, f"{kind}, {then}: {count} are not told"
    assert sum(untold.values()) <= UNTOLD, untold


def test_forward_lines_tell_their_cells() -> None:
    untold = [
        f"{name}: {chunk.code}"
        for name in usual()
        for chunk, told in zip(
            run_for(name).plan.graph.chunks, drawings_of(run_for(name).plan).forward_cells, strict=True
        )
        if not told
    ]
    assert len(untold) <= UNTOLD, untold


def test_reads_in_letters() -> None:
    plan = run_for("makemore").plan
    of = {
        chunk.code.split(" =")[0]: told
        for chunk, told in zip(plan.graph.chunks, drawings_of(plan).forward_cells, strict=True)
    }
    assert [cells["of"] for cells in of["loss"]] == ["stage 0", "result"], "what is picked, then its mean"
    (emb,) = of["emb"]
    assert [(read["of"], read["at"]) for read in emb["reads"]] == [("C", ["Xb[i, j]", "k"]), ("Xb", ["i", "j"])]
    (product,) = of["hprebn"]
    assert [read["apart"] for read in product["reads"]] == [[2], [2], [0, 1]], "b1 is added, not multiplied"
    assert product["sizes"] == {"i": 32, "j": 64, "k": 30}
    last = drawings_of(plan).picture_cells[-1][0]["reads"][0]
    assert (last["at"], last["where"]) == (["k", "l", "j"], ["Xb[k, l] == i"])
