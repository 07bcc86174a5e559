"""Parses Varlink interface definitions (https://varlink.org/Interface-Definition)."""

import re

TOKEN = re.compile(r"#[^\n]*|\s+|(->|\[string\]|\[\]|[?(),:]|[A-Za-z][A-Za-z0-9_.]*)")

# The methods of the interface that every service has.
SERVICE = """interface org.varlink.service
method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)
method GetInterfaceDescription(interface: string) -> (description: string)
"""


class Interface:
    """An interface: its name, its types by name, and the parameters of its methods.

    A type is a pair: ("bool" | "int" | "float" | "string" | "object", None), ("enum", [name]),
    ("struct", {name: type}), ("array", type), ("map", type), ("maybe", type) or ("named", name). Parameters are a
    struct.
    """

    def __init__(self, text):
        self.types, self.methods = {}, {}
        self.tokens = [match[1] for match in TOKEN.finditer(text) if match[1]]
        self.expect("interface")
        self.name = self.take()
        while self.tokens:
            keyword, name = self.take(), self.take()
            kind = self.type()
            if keyword == "method":
                self.expect("->")
                self.type()
                self.methods[name] = kind
            elif keyword == "type":
                self.types[name] = kind
            elif keyword != "error":
                raise ValueError(f"{self.name}: {keyword} {name}")

    def take(self):
        return self.tokens.pop(0)

    def expect(self, token):
        if (found := self.take()) != token:
            raise ValueError(f"{found} where {token} was expected")

    def type(self):
        token = self.take()
        if token == "?":
            return ("maybe", self.type())
        if token == "[]":
            return ("array", self.type())
        if token == "[string]":
            return ("map", self.type())
        if token == "(":
            return self.parenthesised()
        if token in ("bool", "int", "float", "string", "object"):
            return (token, None)
        return ("named", token)

    def parenthesised(self):
        """Returns the struct or enum whose opening parenthesis has been read."""
        names, fields = [], {}
        while (name := self.take()) != ")":
            if name == ",":
                continue
            if self.tokens[0] == ":":
                self.expect(":")
                fields[name] = self.type()
            else:
                names.append(name)
        return ("enum", names) if names else ("struct", fields)

    def resolved(self, kind):
        """Returns the definition of a named type, or any other type unchanged."""
        return self.types[kind[1]] if kind[0] == "named" else kind
