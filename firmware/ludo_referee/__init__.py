"""The program at the table: rules, referee, screens, page, and the wiring between them."""
