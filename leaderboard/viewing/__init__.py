"""Results of the command line, shown without a site of their own."""
