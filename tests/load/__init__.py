"""A class of many, played against a server of this machine: how long joining, steps and answers take."""
