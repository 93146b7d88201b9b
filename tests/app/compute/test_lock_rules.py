"""The very rules that the sandbox hands to the kernel, as they lie in memory at the call: what they let through.

The numbers of system calls are those of the kernel's own tables (arch/x86/entry/syscalls/syscall_64.tbl, and
include/uapi/asm-generic/unistd.h for aarch64), and the program is run by an interpreter that knows no library of ours.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import random
import sys
from typing import Any

import landlockpy
import pytest
import seccompy

from app.compute import lock
from tests.support.bpf import returned

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox is Linux's")
ALLOW, KILL_PROCESS, REFUSE, ABSENT = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
OTHERS = [0x40000003, 0x40000028, 0x80000016, 0xC00000F3, 0x00000016, 0x4000003E, 0, 0xFFFFFFFF]
# What a worker may call whatever the arguments, as the kernel numbers it: on x86-64, and on aarch64.
FREELY = {
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "fstat": (5, 80), "lseek": (8, 62), "mmap": (9, 222),
    "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "pread64": (17, 67), "sched_yield": (24, 124),
    "mremap": (25, 216), "madvise": (28, 233), "nanosleep": (35, 101), "getpid": (39, 172), "sendto": (44, 206),
    "recvfrom": (45, 207), "exit": (60, 93), "uname": (63, 160), "gettimeofday": (96, 169), "getrusage": (98, 165),
    "sysinfo": (99, 179), "sigaltstack": (131, 132), "gettid": (186, 178), "futex": (202, 98),
    "sched_getaffinity": (204, 123), "restart_syscall": (219, 128), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "exit_group": (231, 94), "set_robust_list": (273, 99),
    "getcpu": (309, 168), "getrandom": (318, 278), "membarrier": (324, 283), "rseq": (334, 293),
}  # fmt: skip
CLONE, SETITIMER, CLONE3 = (56, 220), (38, 103), 435
ITIMER_PROF = 2
SECCOMP, SET_MODE_FILTER, TSYNC = (317, 277), 1, 1
CREATE_RULESET, RESTRICT_SELF = 444, 446
A_THREAD = 0x00010000
NUMBERS = [*range(600), *(0x40000000 + number for number in range(600)), 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


class Kernel:
    """Takes the place of the C library under the two libraries, and keeps what the kernel would be handed."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, ...]] = []
        self.program = self.ruleset = b""
        self.promised: list[tuple[int, ...]] = []

    def prctl(self, *arguments: int) -> int:
        self.promised.append(arguments)
        return 0

    def syscall(self, number: int, *arguments: Any) -> int:
        self.calls.append((number, *(one for one in arguments if isinstance(one, int))))
        if number in SECCOMP:
            program = arguments[2]._obj
            self.program = ctypes.string_at(program.filter, 8 * program.len)
        elif number == CREATE_RULESET:
            if arguments[0] is None:
                return int(ctypes.CDLL(None).syscall(number, None, 0, 1))
            self.ruleset = ctypes.string_at(ctypes.addressof(arguments[0]._obj), arguments[1])
            return os.open(os.devnull, os.O_RDONLY)
        return 0


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """What is loaded goes here, and locks nobody."""
    kernel = Kernel()
    for library in (seccompy, landlockpy):
        monkeypatch.setattr(library._syscall, "_libc", kernel)
    return kernel


def wanted(place: int, number: int, arguments: tuple[int, ...]) -> int:
    """What is to come of a call on the first or the second of the architectures."""
    if number == CLONE3:
        return ABSENT
    if number == CLONE[place]:
        return ALLOW if arguments[0] & A_THREAD else REFUSE
    if number == SETITIMER[place]:
        return ALLOW if arguments[0] == ITIMER_PROF else REFUSE
    return ALLOW if number in [numbers[place] for numbers in FREELY.values()] else REFUSE


@pytest.fixture(params=list(enumerate(ARCHITECTURES.items())), ids=list(ARCHITECTURES))
def loaded(request: pytest.FixtureRequest, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int, bytes]:
    """The place of an architecture in the table, its name in an audit, and the filter that is loaded on it."""
    place, (machine, audited) = request.param
    monkeypatch.setattr(platform, "machine", lambda: machine)
    lock._seccomp()
    assert kernel.calls == [(SECCOMP[place], SET_MODE_FILTER, TSYNC)]
    assert kernel.promised == [(38, 1, 0, 0, 0)], "no new privileges"
    return place, audited, kernel.program


def test_the_filter_lets_through_what_is_listed_and_refuses_every_other_number(loaded: tuple[int, int, bytes]) -> None:
    place, audited, program = loaded
    draw = random.Random(5)
    arguments = tuple(draw.getrandbits(64) | 1 for _ in range(6))  # nothing that asks for a thread or for nothing
    arguments = (arguments[0] & ~A_THREAD, *arguments[1:])
    for number in [*NUMBERS, *(draw.getrandbits(32) for _ in range(2_000))]:
        assert returned(program, number, audited, arguments) == wanted(place, number, arguments), number


def test_a_foreign_architecture_ends_the_process(loaded: tuple[int, int, bytes]) -> None:
    place, audited, program = loaded
    native = {name for place_of, name in enumerate(ARCHITECTURES.values()) if place_of != place}
    for other in (set(OTHERS) | native) - {audited}:
        for number in NUMBERS:
            assert returned(program, number, other) == KILL_PROCESS


def test_arguments_are_compared_in_all_their_bits(loaded: tuple[int, int, bytes]) -> None:
    place, audited, program = loaded
    values = sorted({0, 1, 2, *(1 << bit for bit in range(64)), A_THREAD | 1, A_THREAD << 32, (1 << 64) - 1})
    for number in (CLONE[place], SETITIMER[place]):
        for first in values:
            for second in values:
                told = returned(program, number, audited, (first, second))
                assert told == wanted(place, number, (first, second)), (number, first, second)


def test_the_filter_has_an_end_on_every_way(loaded: tuple[int, int, bytes]) -> None:
    """As the kernel checks it: jumps lead forward and into the program, and its last instruction returns."""
    program = loaded[2]
    codes = [program[at] | program[at + 1] << 8 for at in range(0, len(program), 8)]
    assert codes[-1] == 0x06
    assert len(codes) < 4096


def test_landlock_handles_every_right_that_this_kernel_knows_and_grants_none(kernel: Kernel) -> None:
    lock._landlock()
    numbers = [call[0] for call in kernel.calls]
    assert numbers[-2:] == [CREATE_RULESET, RESTRICT_SELF]
    assert set(numbers) == {CREATE_RULESET, RESTRICT_SELF}, "no rule allows anything"
    handled = [int.from_bytes(kernel.ruleset[at : at + 8], sys.byteorder) for at in (0, 8, 16)]
    assert handled == known_to_the_kernel()


def known_to_the_kernel() -> list[int]:
    """The rights to files and to ports, and the scopes, of which this kernel makes rulesets, tried bit by bit."""
    call, known = ctypes.CDLL(None, use_errno=True).syscall, [0, 0, 0]
    for field in range(3):
        for bit in range(64):
            attribute = (ctypes.c_uint64 * 3)(*(1 << bit if field == one else 0 for one in range(3)))
            ruleset = call(CREATE_RULESET, attribute, 8 * (field + 1), 0)
            if ruleset >= 0:
                os.close(ruleset)
                known[field] |= 1 << bit
    return known
