"""Search over chapters, operations and glossary."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from app.pages import search_entries
from app.search import LONGEST_QUERY, SearchResults, found

router = APIRouter()


@router.get("/api/search")
async def search(request: Request, q: Annotated[str, Query(max_length=LONGEST_QUERY)] = "") -> SearchResults:
    """The chapters, operations and technical words in which all words of `q` occur, best first."""
    return found(q, await search_entries(request))
