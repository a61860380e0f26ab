"""Games that were played, for reading: transcripts, tables, pictures and statistics, made from what the journal kept."""
