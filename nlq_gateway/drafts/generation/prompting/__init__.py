"""Prompts for the writers, from demonstrations and what is known of a question.

prompt.py       prompts within a budget of tokens
templates.py    the texts of prompts/, with what differs between notations
definitions.py  the functions as prompts define them
examples.py     demonstrations, and those that come with the package (examples.jsonl)
"""
