"""Seats of a class: drawn for who has its code, proven by a cookie, and lost by who does not follow in time."""

import re
import secrets
import time

from app.classroom import keys
from app.classroom.room import Room
from app.errors import Failure
from app.settings import Settings

COME_SECONDS = 120  # in which a seat has to follow
COOKIE = re.compile(r"(?P<seat>[0-9]{1,11})\.(?P<at>[0-9]{1,11})\.(?P<key>[0-9a-f]{1,64})")


def drawn(room: Room) -> int:
    """A seat that nobody has."""
    while (seat := secrets.randbelow(1 << 31)) in room.seats:
        pass
    return seat


def free_for(room: Room, client: str, settings: Settings) -> None:
    """409 where no seat is left, or none for that address.

    Nobody fills a class from one address: beyond its share it has no more seats than are still free. A school behind
    one address is below that share, and one that is not may have half of the class.
    """
    free, own = settings.class_seats - len(room.seats), room.came_from[client]
    if free <= 0:
        raise Failure(409, "class-full", "As many follow this class as it has seats for.", "Ask your teacher.")
    if own >= max(free, settings.class_seats_per_address):
        said = "As many follow this class from your network as it has seats for."
        raise Failure(409, "class-full", said, "Ask your teacher, or join from another network.")


def seat_in(room: Room, cookie: str | None) -> int:
    """The seat that a cookie proves; 401 without one, or where nobody has followed from it in time.

    So who joins many times can't keep the seats for when the teacher has closed the door.
    """
    read = COOKIE.fullmatch(cookie or "")
    if read is None or not keys.proves(room.secret, f"seat:{read['seat']}:{read['at']}", read["key"]):
        raise no_seat()
    seat = int(read["seat"])
    if seat not in room.seats and time.time() > int(read["at"]) + COME_SECONDS:
        raise no_seat()
    return seat


def seat_cookie(room: Room, seat: int, at: float) -> str:
    """What proves a seat that was drawn then."""
    return f"{seat}.{int(at)}.{keys.key(room.secret, f'seat:{seat}:{int(at)}')}"


def no_seat() -> Failure:
    """The 401 for whoever has not joined."""
    return Failure(401, "no-seat", "You have not joined this class.", "Join it with the code on the wall.")


def not_here() -> Failure:
    """The 409 for an answer from a seat that has not followed yet."""
    hint = "Follow its events first: otherwise who has only the code could answer for many."
    return Failure(409, "not-here", "This seat does not follow the class yet.", hint)
