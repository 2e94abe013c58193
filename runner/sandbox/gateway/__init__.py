"""Kernels that a Jupyter gateway starts, on a cluster as a rule, behind walls of its own.

What is kept here: whatever comes from the gateway is bounded before it is buffered and checked
before it is believed; cells have their deadlines; a kernel that dies, floods or forges messages
ends with a typed outcome; harvests have their caps and rules. What is the gateway's: memory,
processors, network, and what a kernel sees of the host and of other kernels.

The working folder lies on the other side and dies with its kernel, so it is the kernel itself that
hands its files over, once the model has said its last word. That reader is as little to be trusted
as the model's code, which may have changed it. But all that it can do is to tell lies about its own
files, and code that wants a file to say something else can write it so: lying gives it no power
that writing does not. What it tells is therefore taken as one takes a hostile file: names, sizes
and kinds are checked, contents bounded, and digests are computed here over what arrived. Checks run
on this host, over those copies.
"""
