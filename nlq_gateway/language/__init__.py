"""Natural languages: which one a question is in, and programs in English words.

en/, de/, ...  the words of a language: a file for each subject; the same keys in every language
tables.py      reads them, of all languages together
lexicon.py     the words that steer a question's meaning
detection.py   the language of a text
sentences.py   the gateway's own sentences
wording/       English questions and sentences for programs
"""
