"""Jobs and their processes: worker pool, fair queue, single flight, a worker's limits and sandbox."""
