"""Programs that a language model writes.

known.py        what a model is told of a question, and which names it may write
definitions.py  the functions as prompts define them
examples.py     demonstrations, and those that come with the package
templates.py    the texts of prompts/, with what differs between notations
prompt.py       prompts within a budget of tokens
reading/        programs among whatever else a model writes
writer.py       programs written greedily, corrected once, then sampled
"""
