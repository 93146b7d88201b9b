"""Words in, numbered examples out: what a lesson about names trains on."""
