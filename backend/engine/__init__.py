"""The engine, alone: reads a forward pass, writes its backward pass, runs both, checks every gradient."""
