"""Tests of attempts that are carried on."""
