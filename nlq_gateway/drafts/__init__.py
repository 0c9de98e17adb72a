"""The sources of programs. No source imports another.

reasoning/       a search from the question's names over the graph, without a model
drafter/         the small model of the package
demonstrations/  questions whose programs are known
generation/      a language model: its prompts, grammars, replies and looks
refine/          a language model that changes a program by what its steps found
"""
