"""A recording asks a busy server again, and gives up on one that fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from app.site.question import Question
from app.site.server import Answers, RecordingError

QUESTION = Question("/api/numeric", {"node": "h"})


@contextmanager
def answering(*statuses: int) -> Iterator[Answers]:
    """A server that gives these answers one after the other, then what it was asked."""
    left = list(statuses)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status = left.pop(0) if left else 200
            text = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            if status == 503:
                self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Answers(f"127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()


def test_a_busy_server_is_asked_again_the_same() -> None:
    with answering(503, 503) as answers:
        assert answers.answer(QUESTION) == (QUESTION.text or "").encode()


def test_one_that_stays_busy_or_fails_ends_the_recording() -> None:
    with answering(500) as answers, pytest.raises(RecordingError, match="500"):
        answers.answer(QUESTION)
    with answering(*[503] * 1000) as answers, pytest.raises(RecordingError, match="503"):
        answers.answer(QUESTION)


def test_a_refusal_is_no_fault() -> None:
    with answering(422) as answers:
        assert answers.answer(QUESTION) is None
