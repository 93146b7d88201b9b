"""Worker processes, which compute with `backend`: pool, fair queue, what is ours, sandbox, rlimits."""
