"""Closed forms: patterns in the graph whose backward lines collapse into one, stage by stage."""
