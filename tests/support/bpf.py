"""Runs classic BPF programs as the kernel does for seccomp: written from the kernel's documentation, and from no library."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Sequence

DATA = struct.Struct("<iIQ6Q")  # struct seccomp_data: number, architecture, place of the instruction, six arguments
INSTRUCTION = struct.Struct("<HBBI")  # struct sock_filter: code, steps where true, steps where false, constant
LOAD_WORD, JUMP, RETURN = 0x20, 0x05, 0x06
ARITHMETIC: dict[int, Callable[[int, int], int]] = {
    0x04: operator.add, 0x14: operator.sub, 0x24: operator.mul, 0x44: operator.or_, 0x54: operator.and_,
    0x64: operator.lshift, 0x74: operator.rshift, 0xA4: operator.xor,
}  # fmt: skip
COMPARISONS: dict[int, Callable[[int, int], bool]] = {
    0x15: operator.eq, 0x25: operator.gt, 0x35: operator.ge, 0x45: lambda a, k: bool(a & k),
}  # fmt: skip


def returned(program: bytes, number: int, architecture: int, arguments: Sequence[int] = ()) -> int:
    """What a filter says of one system call; raises KeyError at what is no instruction, IndexError where it runs out."""
    instructions = list(INSTRUCTION.iter_unpack(program))
    signed = number - (1 << 32) if number >= 1 << 31 else number
    data = DATA.pack(signed, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    accumulator = place = 0
    while True:
        code, true, false, k = instructions[place]
        place += 1
        if code == RETURN:
            return int(k)
        if code == LOAD_WORD:
            assert k % 4 == 0
            accumulator = struct.unpack_from("<I", data, k)[0]
        elif code == JUMP:
            place += k
        elif code in COMPARISONS:
            place += true if COMPARISONS[code](accumulator, k) else false
        else:
            accumulator = ARITHMETIC[code](accumulator, k) & 0xFFFFFFFF
