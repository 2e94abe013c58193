"""Attempts carried on from a step of another one."""
