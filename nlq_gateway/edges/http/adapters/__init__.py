"""Addresses that speak other people's protocols, so that their clients work here as they are.

text2sparql.py    the TEXT2SPARQL challenge: a question, its query
chat.py           OpenAI's chat completions and models: routes
chat_requests.py  what a chat completion's body may hold, and what is refused
chat_answers.py   a trace as a completion, whole or in chunks
chat_errors.py    every problem under /v1 as OpenAI's error object
markdown.py       a trace as a message in Markdown
"""

from __future__ import annotations
