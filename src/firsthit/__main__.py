"""`python -m firsthit` is the command `firsthit`."""

from firsthit.cli import main

if __name__ == "__main__":
    main()
