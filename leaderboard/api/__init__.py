"""The API, version 1: one module per resource, over the same functions as the pages."""
