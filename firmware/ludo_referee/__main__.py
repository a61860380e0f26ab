"""`python -m ludo_referee`."""

import sys

from .cli import main

sys.exit(main())
