"""The lessons, in teaching order; a new one is a file here and its name in this list."""

from backend.program.lessons import first_steps, makemore_mlp
from backend.program.lessons.base import Lesson, Material

LESSONS: dict[str, Lesson] = {module.LESSON.name: module.LESSON for module in (makemore_mlp, first_steps)}

__all__ = ["LESSONS", "Lesson", "Material"]
