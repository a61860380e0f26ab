"""Ports (Protocols) and adapters: button, OLED, camera, buzzer, lamps; and the simulated table."""
