"""Programs that a language model writes.

known.py    what passes between the rooms below: what is known of a question, and what was written
context/    what a model is told of a question, and the names that it may write
prompting/  prompts for the writers, within a budget of tokens
grammar/    the programs that a bound model may write
reading/    programs among whatever else a model writes
writer.py   programs written greedily, corrected once, then sampled
decompose/  programs composed of what sub-questions stand for
scoring/    drafts of others, in the order in which a model finds them probable
"""
