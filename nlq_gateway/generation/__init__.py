"""Programs that a language model writes.

known.py  what a model is told of a question, and which names it may write
"""
