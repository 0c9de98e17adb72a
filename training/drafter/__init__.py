"""The drafter: examples as tensors, the network in torch, and the loop that trains it."""
