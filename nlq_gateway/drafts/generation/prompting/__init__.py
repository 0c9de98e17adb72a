"""Prompts for the writers, from demonstrations and the facts about a question.

prompt.py       prompts within a budget of tokens
definitions.py  the functions' definitions in prompts
examples.py     demonstrations, and those of the package (examples.jsonl)
"""
