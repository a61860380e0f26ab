"""The wiring: referee, vision and devices joined. Table, replay and demo run the same `Session`.

Importing this loads neither numpy nor OpenCV; vision runs in the camera's process, or in this one for replays and the demo.
"""
