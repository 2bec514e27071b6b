"""Matrix instructions and tensor memory."""
