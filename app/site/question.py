"""A question that a page asks, and the spelling by which its answer is filed: `static/js/shared/recorded.js`."""

import json
import re
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]  # of JSON: what is asked, and what is answered
OWN = "own"  # the name of a walk that has a file to itself


@dataclass(frozen=True)
class Question:
    """A request of the interface: its path, and its body, None for what is only got."""

    path: str
    body: Document | None = None

    @property
    def text(self) -> str | None:
        """The body as it is sent."""
        return None if self.body is None else json.dumps(self.body)

    @property
    def spelling(self) -> str:
        """Its one spelling: keys in order, without those that say what is usual."""
        if self.body is None:
            return self.path
        return f"{self.path} {json.dumps(_plain(self.body), ensure_ascii=False, separators=(',', ':'))}"

    @property
    def scope(self) -> str:
        """What it is about: a lesson, or a resource of the interface."""
        lesson = re.search(r'"lesson":"([^"]+)"', self.spelling)
        found = lesson or re.match(r"/api/(?:chapters/)?([\w-]+)", self.path)
        return found[1] if found else "other"


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)  # as JavaScript writes it
    if not isinstance(value, dict):
        return value
    told = sorted((key, one) for key, one in value.items() if one is not None and one is not False and one != [])
    return {
        key: _written(one, value.get("target")) if key == "answer" else _plain(one)
        for key, one in told
        if key != "hints"
    }


def _written(answer: Any, target: str | None) -> Any:
    """An answer as it is read: without its spaces, and with or without its beginning."""
    if not isinstance(answer, str):
        return answer
    line = "".join(answer.split())
    return line.removeprefix(f"d{target.replace('@', '_')}=") if target else line
