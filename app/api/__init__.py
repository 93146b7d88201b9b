"""The HTTP interface: what is posted is a row of `app/endpoints.py`, every other resource a module."""

from app.api import (
    chapters,
    classroom,
    description,
    drills,
    exhibits,
    health,
    lessons,
    ops,
    posted,
    search,
    starts,
    training,
)

# In the order in which they are looked through for an address.
ROUTERS = tuple(
    module.router
    for module in (
        *(posted, classroom, drills, starts, lessons, chapters, exhibits),
        *(ops, search, health, training, description),
    )
)
