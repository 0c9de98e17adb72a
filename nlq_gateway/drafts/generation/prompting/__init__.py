"""Prompts for the writers, from demonstrations and the facts about a question.

prompt.py       prompts within a budget of tokens
templates.py    the texts of prompts/, with the parts that differ between notations
definitions.py  the functions' definitions in prompts
examples.py     demonstrations, and those of the package (examples.jsonl)
"""
