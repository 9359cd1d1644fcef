"""The shell around the ledger: it does what the effects say and reports what happened."""
