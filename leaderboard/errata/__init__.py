"""Corrected checks: which stored results they concern, and the pages that tell of them."""
