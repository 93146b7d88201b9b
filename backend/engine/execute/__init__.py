"""Running a plan: forward and backward lines, incremental reruns; the cache of plans."""
