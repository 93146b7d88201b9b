"""`python -m app.compiling`: compile what a start of gradwalk loads, for a place where it can't be kept later.

Of PyTorch's thousands of modules only these are worth their room. They are never compared with their sources: a copy of
both may have rounded the times by which Python tells a stale one. What isn't installed may change and is left alone.
"""

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compiled
from types import ModuleType

STARTED = f"{__package__}.serving", f"{__package__}.compute.preload"


def main() -> None:
    """Load what the server's process and its fork server load, and compile it; what can't be loaded ends this."""
    for name in STARTED:
        import_module(name)
    print(f"{compile_all(list(sys.modules.values()))} modules are compiled")


def compile_all(modules: Iterable[ModuleType]) -> int:
    """Compile the installed modules that have a source; how many there were."""
    files = {Path(path) for module in modules if (path := getattr(module, "__file__", None))}
    sources = {str(file) for file in files if file.suffix == ".py" and file.is_relative_to(sys.prefix)}
    for source in sources:
        compiled(source, doraise=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    return len(sources)


if __name__ == "__main__":
    main()
