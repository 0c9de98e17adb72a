"""Tables over chains of classes, with questions by a grammar of their own (docs/drafter.md)."""
