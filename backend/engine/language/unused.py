"""Finds names that a program does not use yet."""

from __future__ import annotations

from collections.abc import Callable, Set


def numbered(wanted: str, is_taken: Callable[[str], bool], joint: str = "") -> str:
    """The wanted name, or the first free one with a number behind it, from 2 on: `h`, `h2`."""
    name, number = wanted, 1
    while is_taken(name):
        number += 1
        name = f"{wanted}{joint}{number}"
    return name


def underscored(wanted: str, taken: Set[str]) -> str:
    """The wanted name with as many underscores behind it as it takes."""
    while wanted in taken:
        wanted += "_"
    return wanted
