"""How often somebody may do something."""

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from app.errors import Failure

SECONDS = 120  # of waiting that are told in seconds
MOST_KNOWN = 20_000  # of whom something is remembered; who has done nothing for longest is forgotten


class Allowance:
    """So many times in so many seconds for each of those who ask."""

    def __init__(self, times: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.times, self.seconds, self.clock = times, seconds, clock
        self.spent: OrderedDict[str, deque[float]] = OrderedDict()

    def spend(self, who: str) -> None:
        """Count once more for somebody; 429 with Retry-After where it is too often."""
        self.check(who)
        self.spent.setdefault(who, deque()).append(self.clock())
        self.spent.move_to_end(who)
        if len(self.spent) > MOST_KNOWN:
            self.spent.popitem(last=False)

    def check(self, who: str) -> None:
        """The same without counting."""
        now, times = self.clock(), self.spent.get(who, deque())
        while times and times[0] <= now - self.seconds:
            times.popleft()
        if len(times) >= self.times:
            wait = max(1, round((times[0] if times else now) + self.seconds - now))
            said = f"{wait} s" if wait <= SECONDS else f"{math.ceil(wait / 60)} minutes"
            raise Failure(429, "too-often", "That is too often.", f"Try again in {said}.", {"Retry-After": str(wait)})

    def forget(self) -> None:
        """Forget whoever has done nothing for so long that they may do everything again."""
        long_ago = self.clock() - self.seconds
        while self.spent and not any(when > long_ago for when in next(iter(self.spent.values()))):
            self.spent.popitem(last=False)
