"""Plants a usual mistake in a plan's backward pass, in place of the right line."""

from __future__ import annotations

from backend.engine.execute.plan import Plan
from backend.engine.execute.planted import Meant
from backend.engine.execute.planting import plant
from backend.engine.language.errors import Refusal
from backend.lines.equations.names import names_of
from backend.lines.mistakes.choices import Choice, choices_of


def possible(plan: Plan, number: int) -> list[Choice]:
    """The mistakes that can be planted in place of a line."""
    return choices_of(plan.lines[number], names_of(plan), plan.lines)


def plant_mistake(plan: Plan, number: int, code: str) -> Plan:
    """The plan with a mistake in place of a backward line; raises Refusal where the line has no such mistake."""
    choices: dict[str, Choice] = {choice.mutant.code: choice for choice in possible(plan, number)}
    choice = choices.get(code)
    if choice is None:
        raise Refusal("mistake-unknown", found=code, codes=", ".join(choices) or "none")
    return plant_choice(plan, number, choice)


def plant_choice(plan: Plan, number: int, choice: Choice) -> Plan:
    """The plan with one of the possible mistakes in place of a backward line."""
    mutant = choice.mutant
    return plant(plan, number, mutant.source, Meant(mutant.code, choice.label, mutant.label))
