"""Who is next, what the table should look like, what to say. Pure: (state, event) → (state, effects)."""
