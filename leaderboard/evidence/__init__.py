"""Evidence for the numbers on the board: manifests of runs, bundles, and boards rebuilt."""
