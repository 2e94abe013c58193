"""First looks at untrusted files: every foreign format is opened in a sandbox, never here."""
