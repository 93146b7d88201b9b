"""The interpreter of the language: values, shape inference, and the budget of both."""
