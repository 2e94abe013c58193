"""Renders text from a model as markup that cannot act: escaped first, bounded, sanitised last."""
