"""Programs that a language model writes.

known.py        what a model is told of a question, and which names it may write
schema.py       look-ups in the schema of one graph
phrases.py      the phrases of a question that may speak of something
likeness.py     how alike these and the names of the schema are
facts.py        relations and attributes around what the question names that it speaks of
threshold.py    how alike is alike enough, on one endpoint
names.py        the names that a constrained model may write
entities.py     the entities among them
values.py       the values that the question states
definitions.py  the functions as prompts define them
examples.py     demonstrations, and those that come with the package
templates.py    the texts of prompts/, with what differs between notations
prompt.py       prompts within a budget of tokens
reading/        programs among whatever else a model writes
grammar/        the programs that a bound model may write
writer.py       programs written greedily, corrected once, then sampled
decompose/      programs composed of what sub-questions stand for
scoring.py      drafts of others, in the order in which a model finds them probable
"""
