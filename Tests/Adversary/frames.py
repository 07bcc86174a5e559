"""Calls made from the interface definitions, intact and damaged."""

from json_text import Members, encoded
from values import Values

# Sequences that every UTF-8 decoder rejects: lone continuation, overlong, surrogate, beyond U+10FFFF, cut off.
BROKEN_UTF8 = [b"\x80", b"\xc0\x80", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x92",
               b"\xff", b"\xfe"]
GARBAGE = [b"", b"null", b"[]", b"{}", b'"x"', b"{", b'{"method":', b'{"method":"a"', b"GET / HTTP/1.0\r\n\r\n",
           b"\xff" * 100]
# Three times the largest frame that any daemon reads: longer ones show nothing more.
MAXIMUM_BYTES = 200_000


class Frames:
    """Makes frames, without the terminating NUL, for the socket of an interface."""

    def __init__(self, random, interfaces, apps, paths):
        self.random, self.interfaces = random, interfaces
        self.values = Values(random, apps, paths)

    def frame(self, socket_interface):
        """Returns a frame: usually a call, rarely garbage, sometimes damaged."""
        if self.random.random() < 0.01:
            return self.random.choice(GARBAGE)
        data = encoded(self.call(socket_interface), self.random)[:MAXIMUM_BYTES]
        return self.damaged(data) if self.random.random() < 0.08 else data

    def call(self, socket_interface):
        """Returns a call of one of the socket's methods, or rarely of the other socket's."""
        interface = socket_interface if self.random.random() < 0.93 else self.random.choice(self.interfaces)
        name = self.random.choice(list(interface.methods))
        method = f"{interface.name}.{name}" if self.random.random() < 0.97 else self.wrong_method(interface, name)
        members = [("method", method if self.random.random() < 0.99 else self.values.anything())]
        if self.random.random() < 0.97:
            good = self.random.random() < 0.98
            fields = interface.methods[name][1] if interface.methods[name][0] == "struct" else {}
            members.append(("parameters", self.values.members(interface, fields) if good else self.values.anything()))
        streams = name.startswith(("Monitor", "Subscribe", "List", "Get", "Request"))
        for flag, chance in (("more", 0.5 if streams else 0.05), ("oneway", 0.04), ("upgrade", 0.01)):
            if self.random.random() < chance:
                members.append((flag, True if self.random.random() < 0.95 else self.values.anything()))
        if self.random.random() < 0.01:
            members.append(self.random.choice(members))
        if self.random.random() < 0.01:
            members.append((self.values.text(), self.values.anything()))
        if self.random.random() < 0.1:
            self.random.shuffle(members)
        return Members(members)

    def wrong_method(self, interface, name):
        """Returns a name that no method has."""
        text = self.values.text()
        return self.random.choice([name, text, f"{interface.name}.{text}", f"{text}.{name}", f"{interface.name}.",
                                   f".{name}", f"{interface.name}..{name}", f"{interface.name}.{name.lower()}"])

    def damaged(self, data):
        """Returns the bytes with one kind of damage."""
        place = self.random.randrange(len(data) + 1)
        end = min(len(data), place + self.random.choice([1, 1, 2, 10, 1000]))
        return self.random.choice([
            data[:place],
            data[:place] + data[end:],
            data[:place] + data[place:end] * 2 + data[end:],
            data[:place] + bytes([self.random.randrange(256)]) + data[place + 1:],
            data[:place] + self.random.choice(BROKEN_UTF8) + data[place:],
            data[:place] + b"\0" + data[place:],
            b" " * self.random.choice([1, 1000, 70_000]) + data,
            data + data,
        ])
