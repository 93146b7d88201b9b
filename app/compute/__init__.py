"""Worker processes, which compute with `backend`: pool, fair queue, single flight, sandbox, rlimits."""
