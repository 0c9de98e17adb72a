"""The facts about a question for a prompt, and the names that a model may write, from one index.

schema.py     look-ups in the schema of one graph
phrases.py    the phrases of a question that may name schema items
likeness.py   the similarity of phrases and the names of the schema
asked.py      the facts about a question for a prompt
nearness.py   the part of the schema nearest to it
facts.py      relations and attributes of named entities that the question speaks of
threshold.py  the least similarity of a match, on one endpoint
names.py      the names that a constrained model may write
entities.py   the entities among them
values.py     the values in the question
"""
