"""What a model is told of a question, and the names that it may write, from the index of one endpoint.

schema.py     look-ups in the schema of one graph
phrases.py    the phrases of a question that may speak of something
likeness.py   how alike these and the names of the schema are
finder.py     what the two finders look up
asked.py      what a prompt tells of a question
nearness.py   which part of the schema is near to it
facts.py      relations and attributes around what the question names that it speaks of
threshold.py  how alike is alike enough, on one endpoint
names.py      the names that a constrained model may write
entities.py   the entities among them
values.py     the values that the question states
"""
