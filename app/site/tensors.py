"""What a reader may ask of a walk's single tensors: a nudge, a number opened into its terms, a local Jacobian."""

from collections.abc import Iterator
from math import prod

from app.site import asked, jacobians, lean, lens
from app.site.question import Document, Question
from app.site.server import Answers


def of_walk(answers: Answers, document: Document, walk: Document) -> Iterator[tuple[Question, bytes]]:
    """Questions with their answers as they are kept, one kind after the other."""
    for question in asked.of_tensors(document, walk):
        told = answers.answer(question)
        if told is not None:
            yield question, lean.answer(told)
    known, left, worked_out = lens.names_in(document), list[lens.Sheet](), set[str]()
    for sheet in lens.sheets(document):
        outline = lens.outlined(answers, sheet, walk, known)
        if outline is None:
            left.append(sheet)
            continue
        yield Question("/api/cell", sheet.about(walk)), lean.compact(outline).encode()
        if sheet.which == "value" and jacobians.can_be_worked_out(outline["formula"], sheet.shape, document):
            worked_out.add(sheet.tensor)
    yield from jacobians.of_walk(answers, document, walk, worked_out)
    if sum(prod(node["shape"]) for node in document["nodes"]) <= lens.FEW_CELLS:
        for sheet in left:
            yield from lens.cells(answers, sheet, walk)
