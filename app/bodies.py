"""Which model judges the body of each request, by the name of its job."""

from app.endpoints import BY_JOB
from app.fields import Strict
from app.training_requests import COMMANDS, TrainingRequest

BODIES: dict[str, type[Strict]] = {
    **{job: endpoint.asked for job, endpoint in BY_JOB.items()},
    "training": TrainingRequest,
    **{f"training-{name}": model for name, model in COMMANDS.items()},
}
