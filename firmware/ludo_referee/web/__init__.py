"""The page: what the table shows, live, in a browser. One feed of values in, one page out; no build step, nothing from elsewhere."""
