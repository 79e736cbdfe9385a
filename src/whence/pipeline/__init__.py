"""Stages that join the layers below: load, check, and later explain, score, report."""
