"""picamera2 imports kms for its preview on a monitor, which nothing here uses; only names of pixel formats are looked up."""


class _AnyName(type):
    def __getattr__(cls, name: str) -> str:
        return name


class PixelFormats(metaclass=_AnyName):
    pass
