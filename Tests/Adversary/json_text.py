"""Writes JSON that no sensible client would: repeated keys, raw numbers, arbitrary escapes."""

import json


class Raw:
    """Bytes that are written unchanged."""

    def __init__(self, data):
        self.data = data if isinstance(data, bytes) else data.encode()


class Members:
    """An object as a list of keys and values, in which keys may repeat."""

    def __init__(self, members):
        self.members = list(members)


def encoded(value, random):
    """Returns the bytes of a value, with occasional escapes and spaces."""
    if isinstance(value, Raw):
        return value.data
    if isinstance(value, Members):
        pairs = [string(key, random) + b":" + encoded(member, random) for key, member in value.members]
        return b"{" + separator(random).join(pairs) + b"}"
    if isinstance(value, list):
        return b"[" + separator(random).join(encoded(element, random) for element in value) + b"]"
    if isinstance(value, str):
        return string(value, random)
    return json.dumps(value).encode()


def separator(random):
    return b"," if random.random() < 0.95 else b" ,\t\r\n "


def string(text, random):
    """Returns a string, sometimes with all characters outside ASCII, or with every character, as escapes."""
    chance = random.random()
    if chance < 0.02:
        return b'"' + b"".join(b"\\u%04x" % unit for unit in units(text[:2000])) + b'"'
    return json.dumps(text, ensure_ascii=chance < 0.3).encode("utf-8", "surrogatepass")


def units(text):
    """Returns the UTF-16 code units of a text."""
    data = text.encode("utf-16-be", "surrogatepass")
    return [data[index] << 8 | data[index + 1] for index in range(0, len(data), 2)]
