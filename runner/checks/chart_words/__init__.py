"""Words of a chart that stand beside its marks, and where."""
