"""Name resolution: from the syntax trees of a file, with all that it includes, to the resolved model."""
