"""Which model judges the body of each request, by the name of its job."""

from pydantic import BaseModel

from app.classroom.requests import (
    ClassAnswerRequest,
    ClassCommand,
    ClassRequest,
    EnterRequest,
    HereRequest,
    JoinRequest,
)
from app.endpoints import BY_JOB
from app.training_requests import COMMANDS, TrainingRequest

BODIES: dict[str, type[BaseModel]] = {
    **{job: endpoint.asked for job, endpoint in BY_JOB.items()},
    "training": TrainingRequest,
    **{f"training-{name}": model for name, model in COMMANDS.items()},
    "class": ClassRequest,
    "class-join": JoinRequest,
    "class-enter": EnterRequest,
    "class-tell": ClassCommand,
    "class-answers": ClassAnswerRequest,
    "class-here": HereRequest,
}
