"""`make bench`: a training step, a walk, the page, a drag, a class at once, the loop's lag, a greedy client."""

from tests.bench import cell, drag, greedy, lag, page, training, visitors, walk
from tests.tools.server import running

if __name__ == "__main__":
    training.report()
    with running() as server:
        walk.report(server)
        cell.report(server)
        page.report(server)
        drag.report(server)
        visitors.report(server)
        lag.report(server)
        greedy.report(server)
