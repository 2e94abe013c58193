"""Backups of a site, their restoration, verification of what is stored, collection of garbage."""
