"""Natural languages: which one a question is in, and programs in English words.

detection.py  the language of a text, by the words of languages.toml
sentences.py  the gateway's own sentences, from sentences.toml
wording/      English questions and sentences for programs
"""
