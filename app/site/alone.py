"""The page of a walk that is one file: scripts and style sheet stand in it, and its answers as letters."""

import base64
import hashlib
import re
from functools import lru_cache
from html import escape

from app.assets import current
from app.rendering import made
from app.site import lean
from app.site.letters import ALPHABET, letters
from app.site.question import OWN

ALONE = "recorded", "first", "shell", "views", "dialogs", "studies", "formulas", "walk"  # all scripts of the file
BEGINNING = re.compile(r"\A.*?^(?=define\(\")", re.DOTALL | re.MULTILINE)  # a bundle's import, or its registry
WORDMARK = re.compile(r'<a class="wordmark".*?</a>', re.DOTALL)
LATER = re.compile(r'\(await import\(\s*"\./\w+\.js"\s*\)(?:, (load\("[^"]+"\))\)|\)\.(load\("[^"]+"\)))')
ALL = "one walk, all its numbers, in one file"
SOME = "one walk, every step of it, in one file; not every nudge, Jacobian and cell"
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


def page(title: str, answers: str, size: int, whole: bool = True) -> str:
    """The file of these answers, packed and as letters; `whole`: of all that its page can ask."""
    text = made("walk", lesson=OWN, lessons=[], programs=[], subject=title)
    early = _text("js/early.js")
    said = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(early, START))}">'
    head = f"<head>\n    {said}\n    <script>{early}</script>"
    text = re.sub(r"\s*<script [^>]*src=[^>]*></script>|\s*<link [^>]*>", "", text)
    text = re.sub(r' data-static="[^"]*"', "", text).replace("<html", "<html data-alone", 1).replace("<head>", head, 1)
    holds = f'<p class="holds">{escape(title)}: {ALL if whole else SOME}</p>'
    text = WORDMARK.sub(lambda found: found[0] + holds, text, 1)
    packed = _around(current().version) + _element("answers", answers, size)
    return text.replace("</body>", f'{packed}<script type="module">{START}</script></body>', 1)


def policy(*own: str) -> str:
    """Nothing is fetched, and no script runs but the file's own."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in own)
    return f"default-src 'none'; script-src {hashes} blob:; style-src 'unsafe-inline'; img-src data: blob:"


def scripts() -> str:
    """The modules of the page and of its dialogs in one, without their comments."""
    answering, *asking = (_text(f"{name}.js") for name in ALONE)
    joined = "".join((answering, *(BEGINNING.sub("", text) for text in asking)))
    return lean.script(LATER.sub(lambda found: found[1] or found[2], joined))


@lru_cache(maxsize=1)
def _around(version: str) -> str:  # noqa: ARG001 - of what is read
    """What is alike in all files of one version."""
    parts = {"styles": lean.sheet(_text("walk.css")), "scripts": scripts()}
    return "".join(_element(name, *letters(text.encode())) for name, text in parts.items())


def _element(name: str, text: str, size: int) -> str:
    about = f'id="{name}" data-bytes="{size}" data-letters="{escape(ALPHABET)}"'
    return f'<script type="application/octet-stream" {about}>{text}</script>'


def _text(path: str) -> str:
    return current().files[path].content.decode()
