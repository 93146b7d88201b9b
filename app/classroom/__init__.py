"""A live class: seats, what is told and asked, answers and how they are judged and counted."""
