"""Closed forms: patterns in a graph whose backward lines collapse into one."""
