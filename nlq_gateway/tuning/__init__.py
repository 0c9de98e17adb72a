"""Learns the ranking's weights: from questions whose right answers are known.

collect.py   candidates of questions, carried out, and which of them give the right answer
fit.py       weights from such lists
"""
