"""The blocks of a document that have commands, and the comments about them.

    <!-- run: alice -->               the lines of the next block, by an ordinary user with sudo
    <!-- run: root -->                likewise, by root
    <!-- run: alice, 10 s -->         one that runs on is ended after ten seconds, and has printed something by then
    <!-- skip: it needs a desktop -->     nobody runs them here
    <!-- text -->                     they are no commands: a configuration, a program, a picture

A line `<!-- before: COMMAND -->` above prepares what the reader has at hand, such as a file of that name. Lines that
call systemctl or journalctl need a unit, and are left to the machine test.
"""
import re

MARK = re.compile(r"<!-- (run|skip|text|before)(?:: (.*?))? -->$")
UNITS = re.compile(r"\b(systemctl|journalctl)\b")


class Block:
    """A block of indented lines."""

    def __init__(self, line, text):
        self.line = line
        self.text = text
        self.reader = None
        self.seconds = None
        self.preparation = []
        self.skipped = 0

    @property
    def commands(self):
        """The commands, each with the number of its first line."""
        for number, command in self._all():
            if not UNITS.search(command):
                yield number, command

    @property
    def needs_units(self):
        """The number of commands that need a unit."""
        return sum(1 for _, command in self._all() if UNITS.search(command))

    def _all(self):
        pending, begin, document_end = [], None, None
        for number, line in enumerate(self.text, self.line):
            if not pending and (not line.strip() or line.lstrip().startswith("#")):
                continue
            if not pending:
                begin = number
            pending.append(line)
            here = re.search(r"<<'?(\w+)'?", line)
            if here:
                document_end = here.group(1)
            if document_end is not None:
                if line.strip() != document_end:
                    continue
                document_end = None
            elif line.rstrip().endswith(("\\", "|", "&&")):
                continue
            yield begin, "\n".join(pending)
            pending = []

    def count(self):
        """The number of commands."""
        return sum(1 for _ in self._all())


class Page:
    """A document."""

    def __init__(self, folder, name):
        self.name = name
        self.blocks = []
        self.mistakes = []
        self.skipped = 0
        marks, block = [], None
        lines = (folder / name).read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines, 1):
            following = next((text for text in lines[number:] if text), "")
            if line.startswith("    ") and (block is not None or lines[number - 2] == ""):
                if block is None:
                    block = Block(number, [])
                block.text.append(line[4:])
            elif line == "" and block is not None and following.startswith("    "):
                block.text.append("")
            else:
                if block is not None:
                    self._add(block, marks)
                    marks, block = [], None
                mark = MARK.match(line)
                if mark:
                    marks.append(mark.groups())

    def _add(self, block, marks):
        kinds = dict(marks)
        block.preparation = [value for kind, value in marks if kind == "before"]
        if "run" in kinds:
            reader, _, seconds = kinds["run"].partition(", ")
            block.reader = reader
            block.seconds = int(seconds.split()[0]) if seconds else None
            self.skipped += block.needs_units
        elif "skip" in kinds:
            self.skipped += block.count()
        elif "text" not in kinds:
            self.mistakes.append(
                f"{self.name}:{block.line}: no comment says who runs this: see Tests/Documents/page.py")
        self.blocks.append(block)
