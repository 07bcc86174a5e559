"""Tables of text."""


def rows(header, lines):
    """Returns the lines of a table whose columns are as wide as needed, at most 44 characters."""
    lines = [[str(field)[:44] for field in line] for line in [header, *lines]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return ["  ".join(field.ljust(width) for field, width in zip(line, widths)).rstrip() for line in lines]
