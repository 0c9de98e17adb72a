"""Natural languages: which one a question is in, and programs in English words.

detection.py  the language of a text, by the words of languages.toml
wording/      English questions and sentences for programs
"""
