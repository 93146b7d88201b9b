"""A server of our own on this machine, for as long as its pages and answers are recorded."""

import http.client
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Event
from typing import Any

import app
from app.site.question import Question

READY_SECONDS = 300
PAUSE = 0.2
# All programs are our own, and a machine that does other things too takes its time: what limits others would stop them.
PATIENT = {"GRADWALK_DEADLINE": "60", "GRADWALK_WALL_DEADLINE": "600"}
NO_CLASSES = {"GRADWALK_CLASSES": "0"}  # nobody can join a folder
OK, FAILED, BUSY = 200, 500, 503
AGAIN = 20  # times at most that a busy server is asked


class RecordingError(Exception):
    """Something of ours could not be recorded; the folder is not finished."""


@dataclass
class Answers:
    """What a server says, asked over one connection."""

    address: str

    def page(self, path: str) -> str:
        """The HTML of a page; raises RecordingError where the server has none."""
        status, text = self._ask("GET", path, None)
        if status != OK:
            raise RecordingError(f"{path} is answered with {status}")
        return text.decode()

    def answer(self, question: Question) -> bytes | None:
        """The answer to a question; None where it is refused, which is no fault: not every walk has everything."""
        status, text = self._ask("GET" if question.body is None else "POST", question.path, question.text)
        if status >= FAILED:
            raise RecordingError(f"{question.path} {question.text} is answered with {status}")
        return text if status == OK else None

    def file(self, path: str) -> bytes:
        """A static file, as it is."""
        return self._ask("GET", path, None)[1]

    def _ask(self, method: str, path: str, body: str | None) -> tuple[int, bytes]:
        """What a request is answered with; one that a busy server turned away is asked again when it says."""
        for _ in range(AGAIN):
            status, text, later = self._asked_once(method, path, body)
            if status != BUSY or later is None:
                break
            Event().wait(float(later))
        return status, text

    def _asked_once(self, method: str, path: str, body: str | None) -> tuple[int, bytes, str | None]:
        headers = {} if body is None else {"Content-Type": "application/json"}
        with closing(http.client.HTTPConnection(self.address)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.getheader("Retry-After")

    def wait_until_ready(self) -> None:
        """Until what is ours is computed."""
        end = time.monotonic() + READY_SECONDS
        while self._asked_once("GET", "/readyz", None)[0] != OK:
            if time.monotonic() > end:
                raise RecordingError("the server did not get ready")
            Event().wait(PAUSE)


@contextmanager
def serving(*options: str) -> Iterator[Answers]:
    """A server on a free port of this machine, ready."""
    command = [sys.executable, "-m", app.__name__, "--host", "127.0.0.1", "--port", "0", "--no-browser", *options]
    environment = os.environ | PATIENT | NO_CLASSES
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603 - ours
        try:
            yield _announced(process)
        finally:
            process.terminate()


def _announced(process: "subprocess.Popen[Any]") -> Answers:
    assert process.stdout is not None
    found = re.search(r"http://(\S+)", process.stdout.readline())
    if found is None:
        raise RecordingError("the server did not start")
    answers = Answers(found[1])
    answers.wait_until_ready()
    return answers
