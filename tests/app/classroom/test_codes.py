"""Codes that are guessed, and one that changes every minute, so that others than those in the hall can't join."""

import asyncio

from app.classroom.room import CODE_SECONDS, FORMER_SECONDS
from app.classroom.rooms import Rooms
from app.compute.ours import Ours
from app.compute.pool import Pool
from app.errors import Failure
from app.events.journal import Memory
from app.settings import Settings

WRONG = "BBBBBB"
MOST = 60


def test_a_code_that_changes_holds_for_a_while_longer_and_survives_its_server() -> None:
    """The time in between is not waited for: the code is as old as it would be then."""

    async def main() -> None:
        settings, journal = Settings(), Memory()

        async def begun() -> Rooms:
            rooms = Rooms(settings, journal, Pool(settings), Ours(settings))
            await journal.open(rooms)
            return rooms

        async def holds(rooms: Rooms, code: str) -> bool:
            try:
                return (await rooms.join(code, "a student"))[0].name == room.name
            except Failure as failure:
                assert failure.code == "code-unknown"
                return False

        rooms = await begun()
        room = await rooms.begin("/walk/first-steps", "a teacher")
        codes = [room.code]

        async def minute() -> None:
            room.coded -= CODE_SECONDS
            await rooms._look_after(room)
            if room.code not in codes:
                codes.append(room.code)

        await minute()
        assert len(codes) == 1, "nobody has said that it changes"
        room.touched = touched = room.touched - 0.5
        await rooms.say(room, {"kind": "rotating"})
        said, room.touched = room.touched, touched
        await minute()
        assert (len(codes), room.touched) == (2, touched), "no word of the teacher's, which would keep the class"
        assert said > touched
        await rooms._look_after(room)
        assert room.code == codes[1], "it stays for its minute"
        assert [await holds(rooms, code) for code in codes] == [True, True]
        room.former[codes[0]] -= FORMER_SECONDS
        assert [await holds(rooms, code) for code in codes] == [False, True]
        await minute()
        again = Rooms(settings, Memory(), Pool(settings), Ours(settings))
        again.heard(room.name, await journal.read(room.name))
        assert again.rooms[room.name].code == room.code == codes[2]
        assert [await holds(again, code) for code in codes] == [True, True, True]
        await rooms.say(room, {"kind": "steady"})
        await minute()
        assert len(codes) == 3

    asyncio.run(main())


def begun() -> Rooms:
    settings = Settings()
    return Rooms(settings, Memory(), Pool(settings), Ours(settings))


async def tried(rooms: Rooms, code: str, client: str) -> int:
    """What comes of typing a code: the status."""
    try:
        await rooms.join(code, client)
    except Failure as failure:
        return failure.status
    return 200


def test_who_guesses_learns_no_more_from_the_sixty_first_answer() -> None:
    """A right code was told from wrong ones however many had been tried."""

    async def main() -> None:
        rooms, now = begun(), 0.0
        rooms.codes.wrong.clock = lambda: now
        await rooms.journal.open(rooms)
        code = (await rooms.begin("/walk/first-steps", "a teacher")).code
        assert [await tried(rooms, WRONG, "a stranger") for _ in range(MOST)] == [404] * MOST
        assert [await tried(rooms, one, "a stranger") for one in (WRONG, code)] == [429, 429]
        assert await tried(rooms, code, "somebody else") == 200
        now = 61.0
        assert await tried(rooms, code, "a stranger") == 200

    asyncio.run(main())


def test_nobody_is_kept_out_by_who_guesses_behind_the_same_address() -> None:
    """Four hundred joins of one student had kept the whole school out, for as long as there were twenty a second."""

    async def main() -> None:
        rooms = begun()
        await rooms.journal.open(rooms)
        near = (await rooms.begin("/walk/first-steps", "the school")).code
        far, other = [(await rooms.begin("/walk/first-steps", f"teacher {place}")).code for place in range(2)]
        assert await tried(rooms, far, "the school") == 200, "its teacher is elsewhere, and one student was there first"
        assert {await tried(rooms, far, "the school") for _ in range(500)} == {200}
        assert [await tried(rooms, WRONG, "the school") for _ in range(MOST)] == [404] * MOST
        assert [await tried(rooms, one, "the school") for one in (near, far, other, WRONG)] == [200, 200, 429, 429]

    asyncio.run(main())
