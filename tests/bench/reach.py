"""Figures beside what they are to reach; those that don't are marked, and told once more in the end."""

missed: list[str] = []


def told(what: str, value: float, reach: float, unit: str = "", digits: int = 0, at_least: bool = False) -> None:
    """Print a figure and the largest (or, `at_least`, the smallest) that it may be."""
    figure = f"{value:,.{digits}f} {unit}".strip()
    line = f"{what + ':':60} {figure} (reach {reach:,g}{' at least' if at_least else ''})"
    if value < reach if at_least else value > reach:
        missed.append(line)
        line += "  MISSED"
    print(line)


def summary() -> None:
    """Print what is missed."""
    print(f"\n{len(missed)} missed" + ":" * bool(missed), *missed, sep="\n")
