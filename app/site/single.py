"""One walk as one file that opens from the disk: its page, and the answers that it asks for, without any request."""

from app.site import alone, packing
from app.site.letters import letters
from app.site.question import Document
from app.site.recording import answered, whole_walk
from app.site.server import Answers, RecordingError


def single(answers: Answers, walk: Document, title: str) -> str:
    """The file of a walk; raises RecordingError where its request is refused."""
    if answers.answer(whole_walk(walk)) is None:
        raise RecordingError("This walk is refused: open it in gradwalk, which says why.")
    found, whole = answered(answers, walk)
    return alone.page(title, *letters(packing.packed(found)), whole)
