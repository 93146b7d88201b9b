"""The Walk document: typed schema, explanations, questions, MathML."""
