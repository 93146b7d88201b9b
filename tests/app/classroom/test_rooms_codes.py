"""A code that changes every minute, for a class that others than those in the hall would join."""

import asyncio

from app.classroom.room import CODE_SECONDS, FORMER_SECONDS
from app.classroom.rooms import Rooms
from app.compute.ours import Ours
from app.compute.pool import Pool
from app.errors import Failure
from app.events.journal import Memory
from app.settings import Settings


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
