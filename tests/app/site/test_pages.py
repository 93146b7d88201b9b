"""A page in a folder leads from file to file, wherever the folder stands."""

import pytest

from app.rendering import made
from app.site.pages import recorded

PAGE = '<html lang="en" data-static="/static/v1"><head></head><a href="/walk/softmax?step=2#x">a</a><a href="/">b</a>'


@pytest.mark.parametrize(("path", "up"), [("/", "."), ("/learn", ".."), ("/walk/softmax", "../..")])
def test_links_go_up_to_where_the_folder_begins(path: str, up: str) -> None:
    page = recorded(PAGE, path)
    assert f'<html data-root="{up}" lang="en" data-static="{up}/static/v1">' in page
    assert f'href="{up}/walk/softmax/?step=2#x"' in page
    assert f'href="{up}/"' in page
    assert 'href="/' not in page


def test_one_page_says_for_every_lesson_what_only_a_server_can_do() -> None:
    links = '<a href="/practise/softmax?from=/x#y"><a href="/practise/drills?seed=2"><a href="/train/softmax">'
    expected = '<a href="../practise/?from=/x#y"><a href="../practise/drills/?seed=2"><a href="../train/">'
    assert recorded(links, "/learn") == expected


def test_one_page_says_for_every_exhibit_what_only_a_server_can_do() -> None:
    links = '<a href="/lab/softmax-twice"><a href="/lab/find-it"><a href="/lab/find"><a href="/lab#in-loop">'
    expected = '<a href="../lab/"><a href="../lab/"><a href="../lab/find/"><a href="../lab/#in-loop">'
    assert recorded(links, "/learn") == expected


def test_a_page_says_its_policy_without_what_only_a_header_can_say() -> None:
    page = recorded(PAGE, "/")
    assert "script-src &#x27;self&#x27;" in page
    assert "frame-ancestors" not in page


def test_what_asks_the_folder_comes_beside_the_page_s_scripts() -> None:
    assert '<link rel="modulepreload" href="../../static/v1/recorded.js">' in recorded(PAGE, "/walk/softmax")


def test_what_a_page_is_painted_from_is_asked_for_before_anything_else() -> None:
    """Scripts that come later don't take its share of a slow line."""
    page = recorded(made("walk", lesson="own", lessons=[], programs=[], subject="own"), "/walk/own")
    order = ['rel="preload" as="style" href="../../', "early.js", 'rel="stylesheet"', 'type="module"', "modulepreload"]
    assert sorted(order, key=page.index) == order


def test_what_is_no_link_of_ours_stays() -> None:
    assert recorded('<a href="https://example.org/a">', "/") == '<a href="https://example.org/a">'
    assert recorded('<a href="#part"><a href="//x/y">', "/") == '<a href="#part"><a href="//x/y">'
