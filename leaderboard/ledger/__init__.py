"""The public ledger: every act that a number on the board rests on, in one append-only chain."""
