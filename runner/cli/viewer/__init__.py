"""The viewer of results, as sub-commands."""
