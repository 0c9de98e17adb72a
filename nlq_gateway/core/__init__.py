"""What all of the gateway may use: its types, its errors, words, checkpoints, and files of JSON lines."""
