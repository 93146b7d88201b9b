"""Preloaded where tests fork servers from: what each of them would compute anew when it has nothing else to do."""

import backend

backend.operations()
for start in backend.starts():
    backend.walk(start["request"])
