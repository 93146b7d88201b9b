"""Which model judges the body of each request, by the name of its job."""

from app.fields import Strict
from app.requests import BODIES as ASKED
from app.step_requests import StepRequest, StepsRequest, WindowRequest
from app.training_requests import COMMANDS, TrainingRequest

BODIES: dict[str, type[Strict]] = {
    **ASKED,
    "step": StepRequest,
    "steps": StepsRequest,
    "tensor": WindowRequest,
    "training": TrainingRequest,
    **{f"training-{name}": model for name, model in COMMANDS.items()},
}
