"""What a question says, before a graph is looked at: its words, cues, frame and numbers."""
