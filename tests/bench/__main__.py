"""`make bench`: training, walks, the page and its motions, a drag, chapters, a class, lag, a greedy client, load."""

from tests.bench import (
    busy,
    cell,
    classroom,
    drag,
    frames,
    greedy,
    lag,
    long_programs,
    moving,
    page,
    reach,
    reading,
    runs,
    training,
    visitors,
    walk,
    walkers,
)
from tests.tools.server import running

if __name__ == "__main__":
    training.report()
    long_programs.report()
    runs.report()
    walkers.report()
    with running() as server:
        walk.report(server)
        cell.report(server)
        page.report(server)
        drag.report(server)
        frames.report(server)
        moving.report(server)
        reading.report(server)
        visitors.report(server)
        classroom.report(server)
        lag.report(server)
        greedy.report(server)
        busy.report(server)
    reach.summary()
