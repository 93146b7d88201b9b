"""The engine, alone: reads a forward pass, writes its backward pass, runs and checks both."""
