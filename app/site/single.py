"""One walk as one file that opens from the disk: its page, and the answers that it asks for, without any request."""

import base64
import gzip
import hashlib
import json
import re
from html import escape
from itertools import chain

from app import static_files
from app.pages import made
from app.site import asked, lean
from app.site.question import Document, Question
from app.site.server import Answers, RecordingError

OWN = "own"  # the walk's name in its file
IMPORTED = re.compile(r"^import [^\n]+\n", re.MULTILINE)
LATER = re.compile(r'\(await import\(\s*"\./\w+\.js"\s*\), (load\("[^"]+"\))\)')
# Packed, since a file is read from a disk or a mail: the page's scripts are three times as long as they need be.
START = """
const unpacked = async (id) => {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};
const styles = document.createElement("style");
styles.textContent = await unpacked("styles");
document.head.append(styles);
globalThis.gradwalkAnswers = JSON.parse(await unpacked("answers"));
await import(URL.createObjectURL(new Blob([await unpacked("scripts")], { type: "text/javascript" })));
"""


def single(answers: Answers, walk: Document, title: str) -> str:
    """The file of a walk; raises RecordingError where its request is refused."""
    recorded = answered(answers, walk)
    page = made("walk", lesson=OWN, lessons=[], programs=[], subject=title)
    early = _text("js/early.js")
    said = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(early, START))}">'
    head = f"<head>\n    {said}\n    <script>{early}</script>"
    page = re.sub(r"\s*<script [^>]*src=[^>]*></script>|\s*<link [^>]*>", "", page)
    page = re.sub(r' data-static="[^"]*"', "", page).replace("<html", "<html data-alone", 1).replace("<head>", head, 1)
    page = page.replace("</a>", f'</a><p class="holds">{escape(title)}: one walk, all its numbers, in one file</p>', 1)
    packed = "".join(
        _packed(name, text)
        for name, text in (("styles", _text("walk.css")), ("answers", lean.compact(recorded)), ("scripts", scripts()))
    )
    return page.replace("</body>", f'{packed}<script type="module">{START}</script></body>', 1)


def answered(answers: Answers, walk: Document) -> dict[str, object]:
    """What the page will ask of the walk, by the spelling of the question, under the walk's name in its file."""
    if answers.answer(Question("/api/walk?steps=all", walk)) is None:
        raise RecordingError("This walk is refused: open it in gradwalk, which says why.")
    found = {}
    later = asked.of_tensors(asked.whole(answers, walk), walk)
    for question in (*asked.of_walk(answers, walk), *chain.from_iterable(later)):
        answer = answers.answer(question)
        if answer is not None:
            found[_own(question, walk).spelling] = json.loads(lean.answer(answer))
    return found


def _own(question: Question, walk: Document) -> Question:
    """The same question, of the walk by its name in the file."""
    own: Document = {"lesson": OWN}
    body = own if question.body == walk else {**(question.body or {}), "walk": own}
    return Question(question.path, body)


def scripts() -> str:
    """The modules of the page and of its dialogs in one, without their comments."""
    joined = "".join(IMPORTED.sub("", _text(f"{name}.js"), 1) if i else _text(f"{name}.js") for i, name in
                     enumerate(("first", "dialogs", "walk")))  # fmt: skip
    return lean.script(LATER.sub(r"\1", joined))


def policy(*own: str) -> str:
    """Nothing is fetched, and no script runs but the file's own."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in own)
    return f"default-src 'none'; script-src {hashes} blob:; style-src 'unsafe-inline'; img-src data: blob:"


def _packed(name: str, text: str) -> str:
    content = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
    return f'<script type="application/octet-stream" id="{name}">{content}</script>'


def _text(path: str) -> str:
    return static_files.current().files[path].content.decode()
