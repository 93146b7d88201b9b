"""Exhibits: two programs side by side, a TOML file each, of mistakes that happened."""
