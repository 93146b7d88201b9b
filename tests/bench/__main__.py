"""`make bench`: training, a walk, the page, its frames, a drag, chapters, a class, the loop's lag, a greedy client."""

from tests.bench import cell, drag, frames, greedy, lag, page, reading, runs, training, visitors, walk
from tests.tools.server import running

if __name__ == "__main__":
    training.report()
    runs.report()
    with running() as server:
        walk.report(server)
        cell.report(server)
        page.report(server)
        drag.report(server)
        frames.report(server)
        reading.report(server)
        visitors.report(server)
        lag.report(server)
        greedy.report(server)
