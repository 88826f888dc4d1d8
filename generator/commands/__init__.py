"""What each command does: options in, exit code out. `cli` declares them; nothing else imports this package."""
