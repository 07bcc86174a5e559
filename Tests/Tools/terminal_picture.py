"""Draws the contents of a terminal as an SVG, from lines as `tmux capture-pane -e` prints them."""

import html
import re
import unicodedata

#: Sizes of a character cell and the margin, in the units of the picture.
CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.4, 18, 14

BACKGROUND, FOREGROUND = "#11151c", "#d5dbe3"
#: The colours 0 to 7 and 8 to 15 of a terminal.
COLOURS = ["#4b5563", "#f2777a", "#99cc99", "#ffcc66", "#6699cc", "#cc99cc", "#66cccc", "#d5dbe3",
           "#6b7280", "#ff9da4", "#b5e0b5", "#ffe0a3", "#99c2ff", "#e0b8e0", "#99e6e6", "#ffffff"]

ESCAPE = re.compile(r"\x1b\[([0-9;]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|[\x0e\x0f]")


class Style:
    """What a character looks like, as the escape sequences before it say."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.foreground = self.background = None
        self.is_bold = self.is_dim = self.is_reversed = self.is_underlined = False

    def apply(self, codes):
        numbers = [int(code or 0) for code in codes.split(";")]
        while numbers:
            self._apply(numbers.pop(0), numbers)

    def _apply(self, code, rest):
        if code == 0:
            self.reset()
        elif code in (1, 2, 4, 7):
            name = {1: "is_bold", 2: "is_dim", 4: "is_underlined", 7: "is_reversed"}[code]
            setattr(self, name, True)
        elif code in (22, 24, 27):
            for name in {22: ["is_bold", "is_dim"], 24: ["is_underlined"], 27: ["is_reversed"]}[code]:
                setattr(self, name, False)
        elif 30 <= code <= 37 or 90 <= code <= 97:
            self.foreground = COLOURS[code - 30 if code < 40 else code - 82]
        elif 40 <= code <= 47:
            self.background = COLOURS[code - 40]
        elif code == 39:
            self.foreground = None
        elif code == 49:
            self.background = None
        elif code in (38, 48) and rest[:1] == [5]:
            colour = COLOURS[rest[1]] if rest[1] < 16 else FOREGROUND
            del rest[:2]
            setattr(self, "foreground" if code == 38 else "background", colour)

    def colours(self):
        """The colours of the character and of what is behind it, `None` for that of the terminal."""
        if self.is_reversed:
            return self.background or BACKGROUND, self.foreground or FOREGROUND
        return self.foreground or FOREGROUND, self.background

    def attributes(self, colour):
        weight = ' font-weight="bold"' if self.is_bold else ""
        opacity = ' opacity="0.6"' if self.is_dim else ""
        line = ' text-decoration="underline"' if self.is_underlined else ""
        return f'fill="{colour}"{weight}{opacity}{line}'


def cells(text):
    """The number of cells of a text: two for a wide character of East Asia, none for a mark."""
    return sum(0 if unicodedata.category(character) in ("Mn", "Me", "Cf")
               else 2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def runs(line):
    """Splits a line into texts of one style: yields the column, the text and the style."""
    style, column, end = Style(), 0, 0
    for match in [*ESCAPE.finditer(line), None]:
        text = line[end:match.start()] if match else line[end:]
        if text:
            yield column, text, style
            column += cells(text)
        if match:
            end = match.end()
            if match.group(1) is not None:
                style.apply(match.group(1))


def picture(lines, columns):
    """An SVG of the lines. Each text has the width of its cells, whatever font there is."""
    width, height = columns * CELL_WIDTH + 2 * MARGIN, len(lines) * CELL_HEIGHT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, Noto Sans Mono CJK SC, monospace" font-size="14">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
    ]
    for row, line in enumerate(lines):
        top = MARGIN + row * CELL_HEIGHT
        for column, text, style in runs(line.rstrip("\n")):
            colour, background = style.colours()
            left, length = MARGIN + column * CELL_WIDTH, cells(text) * CELL_WIDTH
            if background:
                parts.append(
                    f'<rect x="{left:g}" y="{top:g}" width="{length:g}" height="{CELL_HEIGHT}" fill="{background}"/>')
            # Word by word: a picture's blanks are not kept everywhere.
            for word in re.finditer(r"\S+", text):
                before = cells(text[:word.start()])
                parts.append(
                    f'<text x="{left + before * CELL_WIDTH:g}" y="{top + 13:g}" '
                    f'textLength="{cells(word.group()) * CELL_WIDTH:g}" lengthAdjust="spacingAndGlyphs" '
                    f'{style.attributes(colour)}>{html.escape(word.group(), quote=False)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
