"""`python -m whence`."""

from whence.commands import main

main()
