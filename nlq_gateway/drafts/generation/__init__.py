"""Programs that a language model writes.

known.py    the types that pass between the packages below: facts about a question, and programs written
card/       the graph's classes with their attributes and relations, for a prompt
context/    the facts about a question for a prompt, and the names that a model may write
prompting/  prompts for the writers, within a budget of tokens
grammar/    the programs that a bound model may write
reading/    programs in the text that a model writes
looking/    looks at the graph that a model takes before it writes
writer.py   programs written greedily, corrected once, then sampled
decompose/  programs composed from sub-questions
scoring/    drafts of others, in order of a model's probabilities
"""
