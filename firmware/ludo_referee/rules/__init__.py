"""What is legal. Pure: no clock, no chance, no input or output; standard library only."""
