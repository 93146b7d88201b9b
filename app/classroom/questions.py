"""Questions and their truth, which workers are asked for: what a class sees, and what judges its answers."""

from __future__ import annotations

import json
import re
from typing import Any, TypedDict

from app.body import Posted
from app.classroom.class_types import ClassAsk, ClassVerdict, Dragged, OfferedChoice
from app.classroom.dragging import NEAR, judged_reached, number_in, of_cell, with_number, written
from app.classroom.events import Reached, Truth
from app.classroom.requests import (
    MOST_CHOICES,
    Ask,
    AxisAsk,
    ChoiceAsk,
    DragAsk,
    GradientAsk,
    NumberAsk,
    ShapeAsk,
)
from app.compute.answering import OK
from app.compute.ours import Ours
from app.compute.pool import Pool
from app.errors import Failure

UNREADABLE = "unreadable"  # neither a shape nor a number, of which a line of code is none
SHAPE = re.compile(r"[\[(]?\s*(\d{1,9}(?:\s*[,×x]\s*\d{1,9})*)?\s*,?\s*[\])]?")


class Asking:
    """Asks workers on behalf of one class, which takes its turn among all clients as one of them."""

    def __init__(self, pool: Pool, ours: Ours, client: str) -> None:
        self.pool, self.ours, self.client = pool, ours, client

    async def answer(self, job: str, document: object, **options: Any) -> Any:
        """The answer to a job as a document; raises Failure for what is refused."""
        posted = Posted(json.dumps(document).encode(), options)
        if (known := self.ours.recognised(job, posted)) is not None:
            status, body = await self.ours.walked(job, known, self.client)
        else:
            status, body = await self.pool.run(job, posted, self.client)
        answer = json.loads(body)
        if status != OK:
            error = answer["error"]
            raise Failure(status, error["code"], error["message"], error.get("hint", ""))
        return answer

    async def question(self, ask: Ask) -> tuple[ClassAsk, Truth]:
        """What everyone is asked, and what judges it; 422 where the walk has nothing to ask there."""
        walk = ask.walk.model_dump(exclude_unset=True)  # it is judged once more, by who computes
        match ask:
            case ChoiceAsk():
                return await self._choice(walk, ask.step)
            case AxisAsk():
                return await self._axis(walk, ask.tensor)
            case NumberAsk():
                return await self._number(walk, ask.cell)
            case DragAsk():
                return await self._drag(walk, ask)
            case GradientAsk():
                return await self._gradient(walk, ask.target)
            case ShapeAsk():
                return await self._shape(walk, ask.tensor)

    async def _choice(self, walk: dict[str, object], step: int) -> tuple[ClassAsk, Truth]:
        document = await self.answer("walk", walk, arrays="typed", steps="near")
        asked = await self.answer("steps", {"walk": walk, "steps": [], "judged": [], "questions": True})
        before = sum(one["direction"] == "backward" for one in document["steps"][:step])
        question = next(filter(None, asked["questions"][before:]), None)
        if question is None:
            raise nothing_to_ask("No step from here on asks anything.", "Go back to an earlier step.")
        choices: list[OfferedChoice] = [{"code": one["code"], "words": one["words"]} for one in question["choices"]]
        because = [one["why"] for one in question["choices"]]
        ask: ClassAsk = {"kind": "choice", "prompt": question["prompt"], "choices": choices}
        return ask, {"walk": walk, "right": question["answer"], "because": because}

    async def _axis(self, walk: dict[str, object], tensor: str) -> tuple[ClassAsk, Truth]:
        summed = await self.answer("axes", {"walk": walk, "tensor": tensor})
        listed = nearest(summed["choices"])
        prompt = f"`{tensor}`, {tuple(summed['needed'])}, was broadcast. How is its gradient summed?"
        choices: list[OfferedChoice] = [{"code": one["code"], "words": ""} for one in listed]
        right = next(place for place, one in enumerate(listed) if one["right"])
        because = ["" if place == right else one["why"] for place, one in enumerate(listed)]
        truth: Truth = {"walk": walk, "right": right, "because": because, "why": listed[right]["why"]}
        return {"kind": "axis", "prompt": prompt, "choices": choices}, truth

    async def _number(self, walk: dict[str, object], cell: str) -> tuple[ClassAsk, Truth]:
        number = await self._finite(walk, cell)
        prompt = f"What is `{written(cell)}`? Three digits are enough."
        return {"kind": "number", "prompt": prompt}, {"walk": walk, "number": number}

    async def _drag(self, walk: dict[str, object], ask: DragAsk) -> tuple[ClassAsk, Truth]:
        begun, now = await self._finite(walk, ask.cell), await self._finite(walk, ask.goal)
        within = float(f"{NEAR * abs(ask.value - now):.1g}")
        if not within:
            raise nothing_to_ask(f"`{written(ask.goal)}` is that already.", "Ask for another value.")
        await self._finite(with_number(walk, ask.cell, begun), ask.goal)  # what can't be changed is told to the teacher
        said = [await self._written(one) for one in (begun, ask.value, within, now)]
        prompt = (
            f"Drag `{written(ask.cell)}`, now {said[0]}, until `{written(ask.goal)}` is {said[1]}, give or take "
            f"{said[2]}. It is {said[3]}."
        )
        name, index = of_cell(ask.cell)
        reached: Reached = {"cell": ask.cell, "goal": ask.goal, "value": ask.value, "within": within}
        drag: Dragged = {"tensor": name, "index": index, "value": begun, "address": ""}  # which the class knows
        asked: ClassAsk = {"kind": "drag", "prompt": prompt, "drag": drag}
        return asked, {"walk": walk, "dragged": reached}

    async def _finite(self, walk: dict[str, object], cell: str) -> float:
        """A number that can be asked about."""
        number = await self._cell(walk, *of_cell(cell))
        if not isinstance(number, int | float):
            raise nothing_to_ask(f"“{cell.strip()}” is {number}.", "Ask for a number that is finite.")
        return float(number)

    async def _cell(self, walk: dict[str, object], name: str, index: list[int]) -> object:
        """A number by the name of its tensor, or of the tensor whose gradient it is in."""
        asked = {"walk": walk, "index": index}
        try:
            return (await self.answer("cell", {**asked, "tensor": name, "which": "value"}))["shown"]
        except Failure as failure:
            if not (failure.code.startswith("tensor-") and name.startswith("d") and len(name) > 1):
                raise
        return (await self.answer("cell", {**asked, "tensor": name[1:], "which": "gradient"}))["shown"]

    async def _gradient(self, walk: dict[str, object], target: str) -> tuple[ClassAsk, Truth]:
        tasks = (await self.answer("practice-tasks", {"walk": walk}))["tasks"]
        task = next((one for one in tasks if one["target"] == target), None)
        if task is None:
            raise nothing_to_ask(f"There is no gradient of “{target}” to write.", "Name a tensor of this walk.")
        prompt = f"Write `{task['name']}`, the gradient of `{target}`, whose shape is {tuple(task['shape'])}."
        names = [one["name"] for one in task["given"]]
        return {"kind": "gradient", "prompt": prompt, "names": names}, {"walk": walk, "target": target}

    async def _shape(self, walk: dict[str, object], tensor: str) -> tuple[ClassAsk, Truth]:
        document = await self.answer("walk", walk, arrays="typed", steps="near")
        node = next((one for one in document["nodes"] if tensor in (one["name"], one["variable"])), None)
        if node is None:
            raise nothing_to_ask(f"There is no tensor “{tensor}”.", "Name a tensor of this walk.")
        prompt = f"Which shape has `{node['variable']}`?"
        return {"kind": "shape", "prompt": prompt}, {"walk": walk, "shape": node["shape"]}

    async def judged(self, question: int, truth: Truth, text: str) -> ClassVerdict:
        """What is to be said of a text."""
        if "shape" in truth:
            return shape_judged(question, truth["shape"], text)
        if "number" in truth:
            return await self._number_judged(question, truth["number"], text)
        if "dragged" in truth:
            return await self._drag_judged(question, truth["walk"], truth["dragged"], text)
        request = {"walk": truth["walk"], "target": truth["target"], "answer": text}
        checked = await self.answer("practice-check", request)
        diagnosis = checked["diagnosis"] or {"code": "", "message": "", "where": None}
        where = diagnosis["where"]
        return {
            "kind": "judged", "question": question, "text": text, "correct": checked["correct"],
            "code": diagnosis["code"], "message": diagnosis["message"],
            "where": (where["column"], where["end_column"]) if where else None,
        }  # fmt: skip

    async def _number_judged(self, question: int, number: float, text: str) -> ClassVerdict:
        _, body = await self.pool.run("number-judged", (text, number), self.client)
        said = json.loads(body)
        return {
            "kind": "judged", "question": question, "text": text, "correct": said["right"],
            "code": UNREADABLE if said["code"] == "syntax" else said["code"],
            "message": "" if said["right"] else said["message"], "where": None,
        }  # fmt: skip

    async def _drag_judged(self, question: int, walk: dict[str, object], reached: Reached, text: str) -> ClassVerdict:
        number = number_in(text)
        if number is None:
            return judged_reached(question, text, UNREADABLE, "That is not a number.")
        found = await self._cell(with_number(walk, reached["cell"], number), *of_cell(reached["goal"]))
        if not isinstance(found, int | float):
            return judged_reached(question, text, "not-finite", f"With it `{written(reached['goal'])}` is {found}.")
        off = found - reached["value"]
        code = "" if abs(off) <= reached["within"] else "too-high" if off > 0 else "too-low"
        message = f"With it `{written(reached['goal'])}` is {await self._written(float(found))}."
        return judged_reached(question, text, code, message if code else "")

    async def _written(self, number: float) -> str:
        """A number as every page writes it."""
        _, body = await self.pool.run("number-text", number, self.client)
        return str(json.loads(body))

    async def right_answer(self, ask: ClassAsk, truth: Truth, given: str | None) -> tuple[str, str]:
        """The right answer, and why; where there are many, the one that was given most; 409 where none was."""
        if "right" in truth:
            choice = ask["choices"][truth["right"]]
            return choice["code"] or choice["words"], truth.get("why", "")
        if "shape" in truth:
            return str(tuple(truth["shape"])), ""
        if "number" in truth:
            return await self._written(truth["number"]), ""
        if "dragged" in truth:
            if given is None:
                hint = "Reach it in the walk, which shows the class."
                raise Failure(409, "nothing-to-show", "Nobody has reached it.", hint)
            return given, ""
        request = {"walk": truth["walk"], "target": truth["target"], "answer": "", "hints": 3}
        hints = (await self.answer("practice-check", request))["hints"]
        return hints[-1], hints[0]


class Way(TypedDict):
    """One way to sum a gradient, as far as it matters here."""

    code: str
    axes: list[int]
    keepdim: bool
    fits: bool
    right: bool
    why: str


def nearest(ways: list[Way]) -> list[Way]:
    """The ways to sum that are likeliest to be taken for the right one, and that one, in their order.

    First whatever fits by chance, then what differs by fewer axes, then what differs in whether they stay.
    """
    right = next(one for one in ways if one["right"])

    def off(one: Way) -> tuple[bool, bool, int, bool]:
        axes = set(one["axes"]) ^ set(right["axes"])
        return not one["right"], not one["fits"], len(axes), one["keepdim"] != right["keepdim"]

    offered = sorted(ways, key=off)[:MOST_CHOICES]
    return [one for one in ways if one in offered]


def shape_judged(question: int, shape: list[int], text: str) -> ClassVerdict:
    """What is to be said of a shape."""
    read = SHAPE.fullmatch(text.strip())
    given = None if read is None else [int(one) for one in re.findall(r"\d+", text)]
    correct = given == shape
    code, message = "", ""
    if given is None:
        code, message = UNREADABLE, "That is not a shape."
    elif not correct:
        code, message = "shape", how_wrong(given, shape)
    return {
        "kind": "judged", "question": question, "text": text, "correct": correct, "code": code, "message": message,
        "where": None,
    }  # fmt: skip


def how_wrong(given: list[int], shape: list[int]) -> str:
    """What is wrong with a shape."""
    if sorted(given) == sorted(shape):
        return "The right axes in another order."
    if [one for one in given if one != 1] == [one for one in shape if one != 1]:
        return "An axis of length 1 too many or too few."
    if len(given) != len(shape):
        return f"It has {len(given)} {'axis' if len(given) == 1 else 'axes'}, and not {len(shape)}."
    return "An axis has another length."


def nothing_to_ask(message: str, hint: str) -> Failure:
    """The 422 for a question that can't be asked."""
    return Failure(422, "nothing-to-ask", message, hint)
