"""The glossary: a sentence for each technical word of the page, and no word that the page never says."""

from __future__ import annotations

import html
import json
import re
from functools import cache

import pytest
import torch

import backend
from app.rendering import templates
from backend.pipeline import run_of
from tests.support import prose_lint
from tests.support.asking import whole
from tests.support.programs import REQUESTS, some, walk_for
from tests.tools.golden import requests
from tests.tools.server import ROOT

# What a person who knows Python may not know; whoever uses another such word adds it here and to the glossary.
TECHNICAL = re.compile(
    r"\b(?:autograd|axes|axis|BatchNorm|Bessel['’]s correction|broadcast\w*|central differences?|cross-entropy"
    r"|embeddings?|float(?:32|64)|gradient descent|hidden units?|Jacobians?|keepdim|kinks?|learning rate"
    r"|local derivatives?|log-probabilit\w+|logits?|logsumexp|masks?|masked|minibatch(?:es)?|normalised|nudged?|one-hot"
    r"|parameters?|relative error|scalar|softmax|standard deviation|transposes?|transposed|truly zero|ulp|upstream"
    r"|variance)\b"
)


@cache
def entries() -> dict[str, str]:
    """Each form of a word, and its sentence."""
    page = templates.get_template("parts/glossary.html").render()
    found = re.findall(r'data-forms="([^"]+)".*?<dd[^>]*>(.*?)</dd>', page, re.DOTALL)
    assert len(found) == page.count("<dt>") > 30
    return {html.unescape(form): html.unescape(said) for forms, said in found for form in forms.split("|")}


def sentences() -> dict[str, str]:
    return {" ".join(re.sub(r"</?code\s*>", "`", said).split()): form for form, said in entries().items()}


@cache
def known() -> re.Pattern[str]:
    forms = sorted(entries(), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE)


def unexplained(text: str) -> set[str]:
    """The technical words of a sentence that the glossary doesn't have."""
    return {word for word in TECHNICAL.findall(text) if not known().fullmatch(word)}


def test_every_sentence_is_plain_english() -> None:
    for said, form in sentences().items():
        assert list(prose_lint.problems(said)) == [], form
        assert all(len(part.split()) <= prose_lint.MOST_IN_SENTENCE for part in prose_lint.sentences(said)), form
        assert said.endswith("."), form


def test_no_form_stands_for_two_words_and_they_are_in_order() -> None:
    page = templates.get_template("parts/glossary.html").render()
    names = re.findall(r"<dt>(.*?)</dt>", page)
    forms = [form.lower() for group in re.findall(r'data-forms="([^"]+)"', page) for form in group.split("|")]
    assert len(set(forms)) == len(forms)
    assert names == sorted(names, key=str.lower)


def test_every_word_is_said_somewhere() -> None:
    said = [path.read_text() for path in sorted((ROOT / "static/js").rglob("*.js"))]
    said += [path.read_text() for path in sorted((ROOT / "backend").rglob("*.py"))]
    said += [path.read_text() for path in sorted((ROOT / "backend/program/chapters/texts").glob("*.md"))]
    said += [path.read_text() for path in sorted((ROOT / "templates").rglob("*.html")) if path.name != "glossary.html"]
    said += [json.dumps(whole(request), ensure_ascii=False) for request in requests().values()]
    said += [f"{lesson['seed']['noun']} seed" for lesson in backend.lessons() if lesson["seed"]]
    text = "\n".join(said).replace('<span class="long-word">', "").replace("</span>", "")
    names = {said: form for form, said in reversed(entries().items())}
    missing = [
        names[said]
        for said in set(entries().values())
        if not any(
            re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", text, re.IGNORECASE)
            for form, own in entries().items()
            if own == said
        )
    ]
    assert missing == []


@pytest.mark.parametrize("name", some(REQUESTS, 8))
def test_every_technical_word_of_a_walk_has_an_entry(name: str) -> None:
    document = walk_for(name)
    told = [*document["beginning"]]
    for step in document["steps"]:
        told += [sentence["text"] for sentence in step["explanation"]]
        asked = step.get("question")
        told += [asked["prompt"], *(choice["why"] for choice in asked["choices"])] if asked else []
    told += [node["gradient"]["verdict"]["because"] for node in document["nodes"] if node["gradient"]]
    assert {word for text in told for word in unexplained(text)} == set()


def test_masks_are_truth_values_or_ones_and_zeros_and_variances_have_two_divisors() -> None:
    told = entries()
    masks = [
        torch.as_tensor(run_of({"lesson": name}).forward.values["mask"])
        for name in ("attention", "no-gradient.dropout")
    ]
    assert "true and false, or of 1 and 0," in told["mask"]
    assert all(mask.dtype != torch.bool and set(mask.flatten().tolist()) == {0.0, 1.0} for mask in masks)
    x = torch.tensor([1.0, 2.0, 4.0, 5.0])
    squares = (x - x.mean()) ** 2
    assert "divided by their number n, or by n − 1" in " ".join(told["variance"].split())
    assert [float(x.var(unbiased=own)) for own in (False, True)] == [float(squares.sum() / n) for n in (4, 3)]


def test_a_word_that_is_missing_is_noticed() -> None:
    assert unexplained("Its kinks, and what is broadcasted.") == {"broadcasted"}
