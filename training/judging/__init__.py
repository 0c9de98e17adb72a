"""Makes the judge: candidates of all sources, and the network that tells right from wrong ones."""
