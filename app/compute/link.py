"""What the server reads of a process of ours, as plain bytes: it unpickles nothing that a sandboxed process wrote."""

import asyncio
import socket

PIECE = 1 << 18  # read in one turn of the event loop


async def read(link: socket.socket, length: int) -> bytes:
    """So many bytes; EOFError or OSError when the process has died."""
    loop, buffer = asyncio.get_running_loop(), bytearray(length)
    rest, turn = memoryview(buffer), PIECE
    while rest:
        got = await loop.sock_recv_into(link, rest[:turn])
        if not got:
            raise EOFError
        rest, turn = rest[got:], turn - got
        if rest and not turn:
            await asyncio.sleep(0)  # while there is more to read, asyncio itself would let nobody else have a turn
            turn = PIECE
    return bytes(buffer)
