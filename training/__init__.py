"""Makes the model file that ships in the package. Not shipped itself."""
