"""Names for random programs that are easily taken for one another: beginnings of others, helpers, gradients, versions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from backend.engine.language.errors import Refusal

# `s_2` is also the second `s`, `s_tanh` a helper, `ds` a gradient, and `s` the beginning of all of them.
NAMES = (
    "s s_g s_2 s_3 s_tanh s_sum s_part ds ds_2 s_ t t_0 st g g_exp dg h h_1 hh dh d dd d_2 x x_ x_2 xs y y_0 y_1 dy "
    "a ab a_b a_mask p p_norm f F_ out out_sum loss_ n_ mean exp chunk dx dloss_ u u_ratio inner dinner w w_product"
).split()
MOST_ASSIGNMENTS = 3


class Naming:
    """Draws a program's names: mostly new ones, now and then one that is there, up to three assignments each."""

    def __init__(self, choose: Callable[[list[Any]], Any]) -> None:
        self.choose = choose
        self.times: dict[str, int] = {}

    def given(self) -> str:
        """The name of an input: not one that another's gradient could have."""
        return self.new([name for name in NAMES if name[0] != "d" or name[1:] not in NAMES])

    def new(self, names: Sequence[str] = NAMES) -> str:
        """A name that the program doesn't have."""
        free = [name for name in names if name not in self.times]
        return self.taken(self.choose(free) if free else f"v{len(self.times)}")

    def next(self) -> str:
        """The name of the next assignment."""
        again = [name for name, times in self.times.items() if times < MOST_ASSIGNMENTS]
        return self.taken(self.choose(again)) if again and self.choose([0, 0, 1]) else self.new()

    def taken(self, name: str) -> str:
        self.times[name] = self.times.get(name, 0) + 1
        return name


def strangers(refusal: Refusal, case: dict[str, Any]) -> set[str]:
    """The names that a refusal quotes and nobody typed."""
    quoted = re.findall(r"`([A-Za-z_]\w*)`", f"{refusal.message} {refusal.hint}")
    return set(quoted) - set(re.findall(r"\w+", case["source"])) - case["tensors"].keys()
