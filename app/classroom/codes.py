"""The codes of a server's classes, and what becomes of who types one."""

from __future__ import annotations

import time
from collections.abc import Mapping

from app.classroom import keys
from app.classroom.allowance import Allowance
from app.classroom.room import Room
from app.errors import Failure


class Codes:
    """By which code a class is found, and from where it is known.

    After too many wrong codes a right one is refused, too: else the answer would tell it from them. But not where its
    class is known already, so that one who guesses keeps nobody out who sits behind the same address.
    """

    def __init__(self, rooms: Mapping[str, Room], most_known: int) -> None:
        self.rooms, self.most_known = rooms, most_known
        self.names: dict[str, str] = {}
        self.wrong = Allowance(60, 60)

    def new(self) -> str:
        """A code that no class has."""
        return next(code for code in iter(keys.new_code, "") if code not in self.names)

    def add(self, room: Room) -> None:
        """Have a class found by its code."""
        self.names[room.code] = room.name

    def remove(self, group: str) -> None:
        """Have a class found no more."""
        self.names = {code: name for code, name in self.names.items() if name != group}

    def typed(self, code: str, client: str) -> Room:
        """The class with a code; 404 for none, 429 after too many tries."""
        code = keys.tidied(code)
        room = self.rooms.get(self.names.get(code, ""))
        right = room is not None and room.admits(code, time.time())
        if room is None or not right or client not in room.known_from:
            self.wrong.check(client)
        if room is None or not right:
            self.wrong.spend(client)
            raise Failure(404, "code-unknown", "There is no class with that code.", "Look at the wall again.")
        if len(room.known_from) < self.most_known:
            room.known_from.add(client)
        return room
