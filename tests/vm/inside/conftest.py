"""One header, bus and camera for all tests in the machine: their modules stay loaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from machine import Bus, Header, SpiBus, Webcam, be_a_pi

from ludo_hardware import gpio


@pytest.fixture(scope="session")
def header() -> Header:
    return Header()


@pytest.fixture(scope="session")
def bus() -> Bus:
    return Bus()


@pytest.fixture(scope="session")
def spi_bus(header: Header) -> SpiBus:
    pytest.importorskip("spidev")
    return SpiBus()


@pytest.fixture(scope="session")
def webcam() -> Webcam:
    return Webcam()


@pytest.fixture(scope="session")
def _factory(header: Header) -> Iterator[Any]:
    be_a_pi()
    factory = gpio.open_pins()
    yield factory
    factory.close()


@pytest.fixture
def pins(_factory: Any) -> Any:
    return _factory
