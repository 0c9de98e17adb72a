"""Shared by the whole gateway: its types, its errors, words, checkpoints, and files of JSON lines."""
