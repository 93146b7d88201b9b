"""One walk as one file that opens from the disk: its page, and the answers that it asks for, without any request."""

import base64
import hashlib
import json
import re
from html import escape
from itertools import chain

from app.assets import current
from app.rendering import made
from app.site import asked, closeup, lean, packing
from app.site.question import Document, Question
from app.site.server import Answers, RecordingError

ALONE = "recorded", "first", "shell", "views", "dialogs", "studies", "walk"  # all scripts of the file
OWN = "own"  # the walk's name in its file
BEGINNING = re.compile(r"\A.*?^(?=define\(\")", re.DOTALL | re.MULTILINE)  # a bundle's import, or its registry
WORDMARK = re.compile(r'<a class="wordmark".*?</a>', re.DOTALL)
LATER = re.compile(r'\(await import\(\s*"\./\w+\.js"\s*\)(?:, (load\("[^"]+"\))\)|\)\.(load\("[^"]+"\)))')
# Packed, since a file is read from a disk or a mail: the page's scripts are three times as long as they need be.
START = """
const bytesOf = (element) => {
  const text = element.textContent;
  const bytes = new DataView(new ArrayBuffer((text.length / 5) * 4));
  const values = Object.fromEntries([...element.dataset.letters].map((letter, value) => [letter, value]));
  for (let at = 0; at < text.length; at += 5) {
    let word = 0;
    for (let i = 0; i < 5; i += 1) word = word * 85 + values[text[at + i]];
    bytes.setUint32((at / 5) * 4, word);
  }
  return bytes.buffer.slice(0, Number(element.dataset.bytes));
};
const unpacked = (id) => {
  const packed = new Blob([bytesOf(document.getElementById(id))]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("gzip")));
};
const styles = document.createElement("style");
styles.textContent = await (await unpacked("styles")).text();
document.head.append(styles);
globalThis.gradwalkAnswers = await (await unpacked("answers")).arrayBuffer();
const scripts = await (await unpacked("scripts")).text();
await import(URL.createObjectURL(new Blob([scripts], { type: "text/javascript" })));
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
    holds = f'<p class="holds">{escape(title)}: one walk, all its numbers, in one file</p>'
    page = WORDMARK.sub(lambda found: found[0] + holds, page, 1)
    parts = {
        "styles": lean.sheet(_text("walk.css")).encode(),
        "scripts": scripts().encode(),
        "answers": packing.packed(recorded),
    }
    packed = "".join(_packed(name, content) for name, content in parts.items())
    return page.replace("</body>", f'{packed}<script type="module">{START}</script></body>', 1)


def answered(answers: Answers, walk: Document) -> dict[str, object]:
    """What the page will ask of the walk, by the spelling of the question, under the walk's name in its file."""
    if answers.answer(Question("/api/walk?steps=all", walk)) is None:
        raise RecordingError("This walk is refused: open it in gradwalk, which says why.")
    found = {}
    later = asked.of_tensors(asked.whole(answers, walk), walk)
    for question in (*asked.of_walk(answers, walk), *chain.from_iterable(later)):
        answer = closeup.answer(answers, question)
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
    answering, *asking = (_text(f"{name}.js") for name in ALONE)
    joined = "".join((answering, *(BEGINNING.sub("", text) for text in asking)))
    return lean.script(LATER.sub(lambda found: found[1] or found[2], joined))


def policy(*own: str) -> str:
    """Nothing is fetched, and no script runs but the file's own."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in own)
    return f"default-src 'none'; script-src {hashes} blob:; style-src 'unsafe-inline'; img-src data: blob:"


def _packed(name: str, content: bytes) -> str:
    text, size = packing.letters(content)
    alphabet = escape(packing.ALPHABET)
    about = f'id="{name}" data-bytes="{size}" data-letters="{alphabet}"'
    return f'<script type="application/octet-stream" {about}>{text}</script>'


def _text(path: str) -> str:
    return current().files[path].content.decode()
