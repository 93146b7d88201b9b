"""`make bench`: training, a walk, the page, frames, a drag, chapters, a class, lag, a greedy client, a busy machine."""

from tests.bench import busy, cell, drag, frames, greedy, lag, page, reading, runs, training, visitors, walk
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
        busy.report(server)
