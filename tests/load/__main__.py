"""`python -m tests.load 300`: a class of so many on this machine, and what it took."""

import asyncio
import sys
import tempfile
from statistics import median, quantiles

from tests.load.students import play
from tests.tools.forked import forked

MOST, STEPS = 3000, 20


def main() -> None:
    """Play, and print the figures."""
    count = min(int((sys.argv[1:] or ["300"])[0]), MOST)
    with tempfile.TemporaryDirectory() as folder, forked(workers=1, class_folder=folder) as server:
        played = asyncio.run(play(server, count, STEPS))
    print(f"{count} joined in {played.joining:.2f} s")
    for name, times in (("step", played.steps), ("answer", played.answers)):
        print(f"{name}: p50 {1e3 * median(times):.0f} ms, p99 {1e3 * quantiles(times, n=100)[98]:.0f} ms")
    for part, seconds in played.processor.items():
        events = count * STEPS if part == "step" else count
        print(f"processor of the server, {part}: {1e6 * seconds / events:.0f} µs for each of {events}")
    print(f"memory: {1024 * played.mib / count:.0f} KiB a student")
    print(f"counted: {sum(bar['students'] for bar in played.bars)} of {count}")


if __name__ == "__main__":
    main()
