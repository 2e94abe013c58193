"""A chart as a reader sees it: words beside its marks, and what a browser shows."""
