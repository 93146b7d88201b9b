"""Around every request: the guard (host, origin, size, response headers), HEAD as GET, draining."""
