"""What travels between the server and the process of a run: commands one way, events, answers and states the other."""

import struct
from typing import Literal

# To the process: the number of the command, the length of its name, and that of its body.
COMMAND = struct.Struct("!IHQ")
# From it: what it is, the run's status, the number of the command that it answers, its HTTP status, and its length.
FRAME = struct.Struct("!BBIHQ")
EVENT, ANSWER, SAVED = 1, 2, 3
Status = Literal["running", "paused", "finished", "stopped", "diverged"]
STATUSES: tuple[Status, ...] = ("running", "paused", "finished", "stopped", "diverged")
LONGEST = 65 << 20  # a state of backend.training.session.LARGEST_STATE, and what is told beside it
LONGEST_EVENT = 1 << 19
EVERY = 1.0  # seconds between two states that are saved
