"""Collects the texts for people from the sources, and checks the translations in data/po.

The texts are those of translated(...) in Swift, and those of the desktop entries, the AppStream file and polkit's
actions. Without an option it checks that the template is up to date, that no translation misses a text, one of its
places ({app}) or one of its commands (`locationctl apps`), and that none has invisible characters. --update writes the
template and adds new texts to each translation (msgmerge).
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

FOLDER = Path(__file__).resolve().parents[2]
TEMPLATE = "locationctl.pot"
#: The list of the translations, which msgfmt reads.
LANGUAGES = "LINGUAS"
CALL = re.compile(r"//(?P<comment>[^\n]*)|\btranslated\((?P<call>)|(?P<code>\S)")
LITERAL = re.compile(r'"""\n(?P<lines>.*?)\n *"""|"(?P<text>(?:[^"\\]|\\.)*)"', re.S)
PLACE = re.compile(r"\{(\w+)\}")
#: A command to type.
COMMAND = re.compile(r"`[^`]*`")
#: The values right after a sentence, if they are a literal.
VALUES = re.compile(r"(?:,\s*count: [^\[\n]*?)?,\s*\[([^\[\]]*)\]\)", re.S)
#: Characters that change the direction of the text around them, and others that are not seen.
INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
#: The elements with texts in files of XML. The program that reads polkit's actions looks the texts up itself.
XML = [
    ("data/desktop/io.locationd.metainfo.xml", "summary"),
    ("data/desktop/io.locationd.metainfo.xml", "description/p"),
    ("data/polkit/io.locationd.policy", ".//*[@gettext-domain='locationctl']"),
]
HEADER = '''# The texts of locationctl for people. `make messages` writes this file.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
'''


class Message:
    """A text, its plural form or None, its places in the sources, and comments for translators."""

    def __init__(self, text, plural):
        self.text, self.plural, self.files, self.comments = text, plural, [], []

    def add(self, file, comment):
        for values, value in (self.files, file), (self.comments, comment):
            if value and value not in values:
                values.append(value)

    @property
    def entry(self):
        lines = [f"#. {comment}" for comment in self.comments] + [f"#: {file}" for file in self.files]
        lines.append(f"msgid {quoted(self.text)}")
        if self.plural:
            lines += [f"msgid_plural {quoted(self.plural)}", 'msgstr[0] ""', 'msgstr[1] ""']
        else:
            lines.append('msgstr ""')
        return "\n".join(lines) + "\n"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def unquoted(text):
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), text)


def literal(code, start):
    """The string literal that begins at or after white space and comments, and its end."""
    start = re.compile(r"(?:\s|//[^\n]*\n)*").match(code, start).end()
    found = LITERAL.match(code, start)
    if not found:
        raise ValueError(f"not a literal: {code[start:start + 60]!r}")
    if found["text"] is not None:
        return unquoted(found["text"]), found.end()
    lines = found["lines"].split("\n")
    indentation = len(found[0]) - len(found[0].rstrip('"').rstrip(" ")) - 3
    text = "\n".join(line[indentation:] for line in lines)
    return unquoted(text.replace("\\\n", "")), found.end()


def swift_calls(code):
    """Each call of translated(...): the text, the plural or None, the comment, and the faults of its values."""
    comment, lines, position = "", [], 0
    while found := CALL.search(code, position):
        position = found.end()
        if found["comment"] is not None:
            line = found["comment"].strip()
            if line.startswith("Translators:"):
                lines = [line.removeprefix("Translators:").strip()]
            elif lines:
                lines.append(line)
            continue
        if lines:
            comment, lines = " ".join(lines), []
        if found["call"] is None or code[:found.start()].endswith("func "):
            if found["code"] == '"':
                position = literal(code, found.start())[1]
            continue
        inner = re.compile(r"\s*// Translators:([^\n]*)\n").match(code, position)
        if inner:
            comment = inner[1].strip()
        text, position = literal(code, position)
        plural = None
        if after := re.compile(r",\s*plural:").match(code, position):
            plural, position = literal(code, after.end())
        faults = []
        if values := VALUES.match(code, position):
            names = set(re.findall(r'"(\w+)":', values[1]))
            if names != set(PLACE.findall(text + (plural or ""))) - ({"count"} if plural else set()):
                faults.append(f"{text!r} has other places than values: {sorted(names)}")
        yield text, plural, comment, faults
        comment = ""


def collect():
    """The messages in the order of the sources, and the faults there."""
    messages, faults = {}, []

    def add(file, text, plural=None, comment=""):
        message = messages.setdefault(text, Message(text, plural))
        if message.plural != plural:
            faults.append(f"{file}: {text!r} is there with and without a plural")
        message.add(file, comment)

    for path in sorted((FOLDER / "Sources/Locationctl").rglob("*.swift")):
        file = str(path.relative_to(FOLDER))
        code = path.read_text()
        if "translated(" not in code or path.name == "Translation.swift":
            continue
        for text, plural, comment, wrong in swift_calls(code):
            faults += [f"{file}: {fault}" for fault in wrong]
            add(file, text, plural, comment)
    for path in sorted((FOLDER / "data/desktop").glob("*.desktop")):
        for key, text in re.findall(r"^(Name|GenericName|Comment|Keywords)=(.*)$", path.read_text(), re.M):
            comment = "Search words, each with a semicolon." if key == "Keywords" else ""
            add(str(path.relative_to(FOLDER)), text, comment=comment)
    for file, elements in XML:
        for element in ElementTree.parse(FOLDER / file).getroot().iterfind(elements):
            add(file, " ".join(element.text.split()))
    return messages, faults


def entries(path):
    """The entries of a .po file: msgid, msgid_plural or None, the list of translations, and the comments."""
    for block in re.split(r"\n\s*\n", path.read_text()):
        fields, comments, field = {}, [], None
        for line in block.splitlines():
            if line.startswith("#"):
                comments.append(line)
                continue
            found = re.fullmatch(r'(?:(msgid|msgid_plural|msgstr(?:\[\d\])?) )?"(.*)"', line.strip())
            if not found:
                raise ValueError(f"{path.name}: {line!r}")
            field = found[1] or field
            fields[field] = fields.get(field, "") + unquoted(found[2])
        if fields or comments:
            translations = [value for name, value in fields.items() if name.startswith("msgstr")]
            yield fields.get("msgid"), fields.get("msgid_plural"), translations, comments


def places(text):
    return Counter(PLACE.findall(text) + COMMAND.findall(text))


def translation_faults(message, translations, forms):
    """The faults of the translations of one message into a language with that many plural forms."""
    expected = forms if message.plural else 1
    if len(translations) != expected:
        yield f"has {len(translations)} forms, not {expected}"
    for translation in translations:
        if not translation.strip():
            yield "is not translated"
            continue
        wanted, found = places(message.plural or message.text), places(translation)
        if message.plural:
            # A language may say "one app" without the number.
            del wanted["count"], found["count"]
        if wanted != found:
            yield f"has other places: {translation!r}"
        if re.sub(PLACE, "", translation).count("{") or re.sub(PLACE, "", translation).count("}"):
            yield f"has a brace too many: {translation!r}"
        if INVISIBLE.search(translation):
            yield f"has an invisible character: {translation!r}"
        if message.text[-1:].isspace() and not (translation[-1:].isspace() or translation in "、،"):
            yield f"does not end with a space: {translation!r}"


def file_faults(path, messages):
    """The faults of a translation, each beginning with the name of its file."""
    header, seen = "", set()
    for text, plural, translations, comments in entries(path):
        if text == "":
            header = translations[0]
            continue
        forms = int((re.search(r"nplurals=(\d+)", header) or [0, 0])[1])
        message = messages.get(text)
        if text is None or message is None or message.plural != plural:
            yield f"{path.name}: {text!r} is not in the sources"
            continue
        if any("fuzzy" in comment for comment in comments if comment.startswith("#,")):
            yield f"{path.name}: {text!r} is fuzzy"
        seen.add(text)
        for fault in translation_faults(message, translations, forms):
            yield f"{path.name}: {text!r} {fault}"
    for text in messages.keys() - seen:
        yield f"{path.name}: {text!r} is missing"
    if f"Language: {path.stem}\n" not in header:
        yield f"{path.name}: the header names another language"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the template, and add new texts to translations")
    parser.add_argument("--po", type=Path, default=FOLDER / "data/po", help="the folder of the translations")
    options = parser.parse_args()
    messages, faults = collect()
    template = "\n".join([HEADER, *(message.entry for message in messages.values())])
    translations = sorted(options.po.glob("*.po"))
    languages = "".join(f"{path.stem}\n" for path in translations)
    if options.update:
        (options.po / TEMPLATE).write_text(template)
        (options.po / LANGUAGES).write_text(languages)
        for path in translations:
            subprocess.run(["msgmerge", "--quiet", "--update", "--backup=none", "--no-fuzzy-matching", path,
                            options.po / TEMPLATE], check=True)
    for name, text in (TEMPLATE, template), (LANGUAGES, languages):
        if (options.po / name).read_text() != text:
            faults.append(f"{name} is out of date: run `make messages`")
    for path in translations:
        faults += file_faults(path, messages)
    for fault in faults:
        print(fault)
    print(f"{len(messages)} texts, {len(translations)} languages, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
