"""What a person sees of a walk: steps, words, charts and layout."""
