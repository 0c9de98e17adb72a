"""Addresses for existing protocols, so that their clients work unchanged.

text2sparql.py    the TEXT2SPARQL challenge: a question, its query
chat.py           OpenAI's chat completions and models: routes
chat_requests.py  the body of a chat completion, and refused members
chat_answers.py   a trace as a completion, whole or in chunks
chat_errors.py    every problem under /v1 as OpenAI's error object
markdown.py       a trace as a message in Markdown
"""

from __future__ import annotations
