"""What a person sees of a walk: steps, words, charts, layout, and how numbers travel to the page."""
