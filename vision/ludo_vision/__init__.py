"""From camera pictures to a reading of the table. Knows places and colours, no rules.

A picture passes plan → register → palette → gate → reading → verdict. Pictures are `(h, w, 3) uint8` BGR; pixel coordinates are
OpenCV's (the centre of the first pixel is (0, 0)); board coordinates are in squares, x to the right, y down, origin at the grid's
outer corner beside the first seat's yard, the four outer corners being (0, 0), (n, 0), (n, n), (0, n) in the order of the seats.
"""
