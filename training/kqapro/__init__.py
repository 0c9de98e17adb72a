"""Training examples from KQA Pro (Cao et al. 2022): question, program in canonical order, graph."""
