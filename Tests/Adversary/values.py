"""Values for parameters: within the range, at its ends, beyond them, and of wrong types."""

from json_text import Members, Raw

INTEGERS = [0, 1, -1, 2, 20, 255, 1000, 65_535, 65_536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, -2**63]
NUMBERS = [0.0, 0.5, 1.0, 5.0, 10.0, 60.0, 90.0, 180.0, -90.0, -180.0, 359.999, 1e-9, 1e-308, 1e6, 9.22e9, 9.3e9, 1e18,
           9.223372036854775807e18, 1.8e19, 1.7e308, -1e308]
WRITTEN_NUMBERS = ["-0", "-0.0", "1e999", "-1e999", "1e-999", "9223372036854775808", "-9223372036854775809", "1E+2",
                   "0.1e1", "1" + "0" * 400, "0." + "0" * 400 + "1", "3" * 5000, "01", "+1", "1.", ".5", "0x10", "NaN",
                   "Infinity", "1e", "1e99999999999999999999"]
# Among them control characters, changes of direction, a lone surrogate, and texts that are equal in Unicode but not
# in bytes.
CHARACTERS = ["\0", "\x1b[31m", "\x07", "\r\n", "\u202e", "\u2028", "\ufeff", "\ud800", "\U0001f4a9", "K", "\u212a",
              "\u00e9", "e\u0301", '"', "\\", "/", "..", "%s%n", "'; DROP TABLE grants; --", "\x7f", "\x80"]
ROUTES = [
    '<gpx><trk><trkseg><trkpt lat="47" lon="8"/><trkpt lat="47.01" lon="8.01"/></trkseg></trk></gpx>',
    '<gpx><trk><trkseg><trkpt lat="1e308" lon="nan"/></trkseg></trk></gpx>', "<gpx>" * 500, "<gpx/>",
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><gpx>&b;</gpx>',
]


class Values:
    """Makes values with a random generator.

    apps, paths: app identities and socket paths that are meaningful to the daemon under test.
    """

    def __init__(self, random, apps, paths):
        self.random = random
        self.words = {"app": apps, "wake": paths, "route": ROUTES,
                      "identifier": [f"region {number}" for number in range(30)],
                      "interface": ["io.locationd.Location", "io.locationd.Manage", "org.varlink.service"],
                      "purposeKey": ["navigation"], "reason": ["Shows where you are."]}

    def of(self, interface, kind, name=""):
        """Returns a value for a field: usually one of its type, sometimes any other."""
        if self.random.random() < 0.06:
            return self.anything()
        shape, detail = interface.resolved(kind)
        if shape == "maybe":
            return None if self.random.random() < 0.1 else self.of(interface, detail, name)
        if shape == "enum":
            return self.random.choice(detail) if self.random.random() < 0.9 else self.text()
        if shape == "struct":
            return self.members(interface, detail)
        if shape == "array":
            return [self.of(interface, detail, name) for _ in range(self.count())]
        if shape == "map":
            return Members([(self.text(), self.of(interface, detail, name)) for _ in range(self.count())])
        if shape == "bool":
            return self.random.random() < 0.5
        if shape == "string":
            return self.word(name)
        return self.integer() if shape == "int" else self.number()

    def members(self, interface, fields):
        """Returns an object: optional fields are sometimes absent, others rarely; some are repeated or unknown."""
        members = []
        for name, kind in fields.items():
            absent = 0.4 if kind[0] == "maybe" else 0.03
            if self.random.random() >= absent:
                members.append((name, self.of(interface, kind, name)))
            if self.random.random() < 0.02:
                members.append((name, self.of(interface, kind, name)))
        if self.random.random() < 0.03:
            members.append((self.text(), self.anything()))
        return Members(members)

    def word(self, name):
        words = self.words.get(name)
        return self.random.choice(words) if words and self.random.random() < 0.8 else self.text()

    def integer(self):
        if self.random.random() < 0.5:
            return self.random.choice(INTEGERS)
        return self.random.randint(0, 2000) if self.random.random() < 0.7 else self.written_number()

    def number(self):
        chance = self.random.random()
        if chance < 0.4:
            return self.random.uniform(-180, 180)
        if chance < 0.6:
            return self.integer()
        return self.random.choice(NUMBERS) if chance < 0.9 else self.written_number()

    def written_number(self):
        return Raw(self.random.choice(WRITTEN_NUMBERS))

    def text(self):
        """Returns a text: a short one, odd characters, combining marks, or a long one."""
        chance = self.random.random()
        if chance < 0.4:
            return "".join(self.random.choices("abcXYZ:/.- 09", k=self.count()))
        if chance < 0.7:
            return "".join(self.random.choices(CHARACTERS, k=self.count()))
        if chance < 0.8:
            marks = self.random.choice([1, 30, 3000, 3900, 15_000])
            return "a" + "\u0301" * marks + "\u0316" * marks
        length = self.random.choice([255, 256, 257, 4096, 16_300, 16_384, 65_000, 70_000])
        return self.random.choice("x\u00e9\0\\") * length

    def anything(self):
        """Returns a value of any type, including deeply nested ones."""
        makers = [self.text, self.integer, self.number, self.written_number, self.nested, lambda: None, lambda: True,
                  lambda: [], lambda: Members([]), lambda: [self.integer()] * self.count(),
                  lambda: Members([(self.text(), self.integer())] * self.count())]
        return self.random.choice(makers)()

    def nested(self):
        """Returns nested arrays or objects."""
        depth = self.random.choice([2, 30, 31, 32, 33, 100, 8000, 60_000])
        begin, end = self.random.choice([(b"[", b"]"), (b'{"a":', b"}")])
        middle = b"" if begin == b"[" else b"0"
        return Raw(begin * min(depth, 60_000 // len(begin)) + middle + end * min(depth, 60_000 // len(begin)))

    def count(self):
        """Returns a length, usually a small one."""
        return self.random.choice([0, 1, 1, 2, 3, 5, 8, 20, 200])
