"""Loaded once by the process that workers are forked from: what is warm here is warm in all of them."""

import backend

backend.warm()
