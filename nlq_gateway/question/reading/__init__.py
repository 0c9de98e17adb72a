"""The words, cues, frame and numbers of a question, read before the graph is asked."""
