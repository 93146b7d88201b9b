"""Running a plan: forward and backward lines, incremental reruns; caches of plans and runs."""
