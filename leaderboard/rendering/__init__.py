"""What a model wrote, as markup that cannot act: escaped first, bounded, sanitised last."""
