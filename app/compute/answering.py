"""What a process of ours answers: HTTP status and JSON document of what was asked, and of everything that failed."""

import json
import logging
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.body import BodyError

if TYPE_CHECKING:
    from backend import Refusal

OK = 200
Answer = tuple[int, bytes]
log = logging.getLogger("gradwalk.worker")


def answered(work: Callable[[], bytes], what: str) -> Answer:
    """The answer of some work; a refusal is an answer, too, and a 500 doesn't reveal its cause."""
    from backend import Refusal, WordListError, wants_memory  # here: the server's own process stays free of torch

    try:
        return OK, work()
    except Refusal as refusal:
        error = refusal_document(refusal)
        if refusal.others:
            error["others"] = [refusal_document(other) for other in refusal.others]
        if refusal.needs:
            error["needs"] = refusal.needs
        return refusal.status, encode({"error": error})
    except BodyError as refused:
        return refused.status, fault(refused.code, refused.message, refused.hint)
    except WordListError as wrong:
        return 422, fault("words", str(wrong), "The server was started with this list.")
    except Exception as error:
        if wants_memory(error) or isinstance(error, SystemError):  # the latter is Python's own, where memory ran out
            return OUT_OF_MEMORY
        log.exception("%s failed", what)
        return 500, fault("internal", "Something went wrong inside the server.", "Its own log says more.")


def refusal_document(refusal: "Refusal") -> dict[str, object]:
    """A refusal as an error document has it."""
    error: dict[str, object] = {"code": refusal.code, "message": refusal.message, "hint": refusal.hint}
    if refusal.where is not None and "text" in refusal.where:  # a backward line has no place in what was pasted
        error["where"] = refusal.where
    if refusal.fix is not None:
        error["fix"] = refusal.fix
    return error


def fault(code: str, message: str, hint: str) -> bytes:
    """An error document."""
    return encode({"error": {"code": code, "message": message, "hint": hint}})


def encode(document: object) -> bytes:
    """A document as compact JSON in UTF-8; a number that JSON can't hold is the word for it, wherever it stands."""
    try:
        return _dumped(document)
    except ValueError:
        return _dumped(_worded(document))


def _dumped(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _worded(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _worded(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_worded(value) for value in part]
    if isinstance(part, float) and not math.isfinite(part):
        return "NaN" if math.isnan(part) else "Infinity" if part > 0 else "-Infinity"
    return part


OUT_OF_MEMORY = 422, fault("memory", "This needs more memory than one program may use.", "Make its tensors smaller.")
