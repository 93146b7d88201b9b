"""A walk in a notebook's cell: its page in a frame and, while the kernel runs, what answers the page's questions."""

from __future__ import annotations

import json
import secrets
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from app.compute.answering import Answer, answered, fault
from app.endpoints import BY_PATH
from app.site.question import OWN, Question
from backend.program.own import served
from backend.program.request import Material
from gradwalk.answers import here
from gradwalk.room import ROOM

NEEDED = "anywidget"  # carries messages between a notebook's page and its kernel, whatever the front end
# The page in the frame and this script find each other in either order: `static/js/shared/kernel-api.js`.
BRIDGE = """
export default {
  render({ model }) {
    const named = `iframe[data-gradwalk="${model.get("frame")}"]`;
    const waiting = new Map();
    const pages = () => [...document.querySelectorAll(named)].map((frame) => frame.contentWindow);
    const meet = (page) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data: { number, ...question } }) => {
        const key = Math.random().toString(36);
        waiting.set(key, { port: port1, number });
        model.send({ key, ...question });
      };
      page.postMessage("gradwalk:kernel", "*", [port2]);
    };
    const told = ({ key, ...answer }) => {
      const asked = waiting.get(key);
      waiting.delete(key);
      asked?.port.postMessage({ number: asked.number, ...answer });
    };
    const greeted = ({ source, data }) => {
      if (data === "gradwalk:page" && pages().includes(source)) meet(source);
    };
    model.on("msg:custom", told);
    addEventListener("message", greeted);
    pages().forEach(meet);
    return () => {
      model.off("msg:custom", told);
      removeEventListener("message", greeted);
      for (const page of pages()) page.postMessage("gradwalk:kernel", "*");
    };
  },
};
"""


def framed(html: str, title: str, name: str = "") -> str:
    """A page in a frame that can reach neither the notebook nor a net; by its name what answers it finds it."""
    known = f'data-gradwalk="{name}" ' if name else ""
    about = f'title="{escape(title)}" {known}sandbox="allow-scripts" srcdoc="{escape(html)}"'
    return f'<iframe {about} style="width: 100%; height: 720px; border: 0"></iframe>'


def show(html: str, material: Material, text: str) -> None:
    """Show a walk in the cell that is run; what answers its page stands beside it and takes no room."""
    display: Any = import_module("IPython.display").display
    name = secrets.token_hex(8)
    display({"text/html": framed(html, material.title, name), "text/plain": text}, raw=True)
    if runs_in_kernel() and find_spec(NEEDED):
        display(bridge(material, name))


def runs_in_kernel() -> bool:
    """Whether this process is a notebook's kernel."""
    shell = import_module("IPython").get_ipython()
    return getattr(shell, "kernel", None) is not None


def bridge(material: Material, name: str) -> Any:
    """The widget that passes on what the page in the frame of this name asks."""
    base, traits = import_module(NEEDED).AnyWidget, import_module("traitlets")
    made = type("Bridge", (base,), {"_esm": BRIDGE, "frame": traits.Unicode(name).tag(sync=True)})()

    def asked(widget: Any, message: Any, _: Any) -> None:
        status, text = answer(material, str(message["path"]), message["body"])
        widget.send({"key": message["key"], "status": status, "text": text.decode()})

    made.on_msg(asked)
    return made


def answer(material: Material, path: str, body: str | None) -> Answer:
    """The status and the JSON document that a question about a walk is answered with, as a server would."""
    if path.partition("?")[0] not in BY_PATH or body is None:
        return 404, fault("not-found", f"A notebook has no {path}.", "A server has it: run `gradwalk`.")
    with served(OWN, material):
        return answered(lambda: here(ROOM).told(Question(path, json.loads(body))), path)
