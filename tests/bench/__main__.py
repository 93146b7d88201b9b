"""`make bench`: a training step, a walk, the page, a drag, chapters, a class at once, the loop's lag, greed."""

from tests.bench import cell, drag, greedy, lag, page, reading, training, visitors, walk
from tests.tools.server import running

if __name__ == "__main__":
    training.report()
    with running() as server:
        walk.report(server)
        cell.report(server)
        page.report(server)
        drag.report(server)
        reading.report(server)
        visitors.report(server)
        lag.report(server)
        greedy.report(server)
