"""Loaded once by the process that workers are forked from: what is warm here is warm in all of them."""

import gc

import backend

backend.warm()
backend.operations()
# What is loaded now stays: no collection in a worker need go through it again, and its memory stays shared.
gc.collect()
gc.freeze()
