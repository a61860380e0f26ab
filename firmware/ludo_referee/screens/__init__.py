"""The pictures on the OLED: a view and a time in, a 1-bit image out."""
