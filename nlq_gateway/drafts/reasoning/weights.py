"""The prices and rewards of the search.

The unit is the weight of one plain word of the question: a step that costs 0.8 must account for words
worth 0.8 to be kept.
"""

from __future__ import annotations

# Evidence: the degree to which words must mention an item.
FIRM = 0.5
PLAIN = 0.9
SURE = 0.7
SAID = 0.25
SPOKEN = 0.3
NOTICED = 0.3

# Steps.
STEP = 0.15
HOP = 0.25
UNSAID = 0.8  # a relation or attribute that no word mentions
BRIDGED = 0.5  # off UNSAID, times the similarity of a relation to the whole question
QUIET = 0.2  # a qualifier that no word mentions: "in 1994" needs none
NARROW = 1.5  # a filter on one named entity
RANK = 0.08  # each better entity of the same name that is passed over
ORDER = 0.4  # a step further from the name than the one after it
LOWERCASE = 1.2  # a word without the capital that the name has
LOOSE = 0.5  # And with a set that no name narrows
REPEATED = 0.6  # asking for the value that was filtered by
HINT = 0.3  # an attribute that is not the one a superlative hints at

# Rewards for an ending that suits the question's form.
FORM = 0.8
HEAD = 0.5  # the members are what the noun after "which" names
HEAD_VALUE = 0.4
ELSEWHERE = 1.2  # that noun names something else
MISFIT = 0.4
PASSED_OVER = 0.6  # a class that the question names and the program leaves out
EITHER = 0.25  # Or where the question says so
MOSTLY = 0.2  # an attribute that mostly belongs to what the set holds
SUPERLATIVE = 0.5

# Breadth.
PATIENCE = 1.0  # how far below the best so far a round may stay for growth to go on
BRIDGES = 6
PREPOSITION_BRIDGES = 2
HOMONYMS = 4
MENTIONS = 10
OTHER_MENTIONS = 6
CLUES = 6

# Paths between concepts that no word mentions, and tables.
JOIN = 0.3  # each relation of such a path
COMPETING = 0.25  # each other path as short
JOIN_FRONTIER = 200
BORROWED = 0.2  # an attribute that only words for its concept mention
KEYED = 0.4  # a key where no word says that one is meant
KEY = 0.6  # a comparison with a key, which counts nothing
COLUMN = 0.1  # each column of a table
LEFT_ASIDE = 0.4  # each thing that is asked for beside the one shown
HIDDEN = 0.05  # a column that only sorts
OFF_SET = 0.3  # a column of other things than the set's members
ON_LINE = 0.1  # a column of what the set was reached from
NUMBERED = 0.6  # a number that the question asks for
GROUPED = 0.4  # the grouping that the question asks for
RANKED = 0.8  # the order or the cut that the question asks for
DEFAULT_NAME = 0.1  # members shown by what names them, unasked
NUMBER_OF_VALUES = 0.2  # values counted where nothing says "different"
