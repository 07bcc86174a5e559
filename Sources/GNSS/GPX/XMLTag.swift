/// A tag of an XML file.
struct XMLTag {
    enum Kind {
        case opening, closing, selfClosing
    }

    let kind: Kind
    /// The local name, without the namespace prefix.
    let name: String
    /// The namespace prefix with its colon, or an empty text without a prefix.
    let prefix: String
    private let attributes: ArraySlice<UInt8>

    /// Parses the bytes between `<` and `>`.
    init(_ content: [UInt8]) {
        var bytes = content[...]
        if bytes.first == UInt8(ascii: "/") {
            kind = .closing
            bytes.removeFirst()
        } else if bytes.last == UInt8(ascii: "/") {
            kind = .selfClosing
            bytes.removeLast()
        } else {
            kind = .opening
        }
        let qualified = bytes.prefix { $0 > 0x20 }
        let local = qualified.lastIndex(of: UInt8(ascii: ":")).map { qualified[($0 + 1)...] } ?? qualified
        name = String(decoding: local, as: UTF8.self)
        prefix = String(decoding: qualified.dropLast(local.count), as: UTF8.self)
        attributes = bytes.dropFirst(qualified.count)
    }

    /// Returns the value of an attribute, or `nil` if the tag lacks it. Character references are not resolved.
    func attribute(_ wanted: String) -> String? {
        var rest = attributes
        while true {
            rest = rest.drop { $0 <= 0x20 }
            let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") }
            rest = rest.dropFirst(name.count).drop { $0 <= 0x20 }
            guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
            rest = rest.drop { $0 <= 0x20 }
            guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = rest.firstIndex(of: quote)
            else { return nil }
            if name.elementsEqual(wanted.utf8) { return String(decoding: rest[..<end], as: UTF8.self) }
            rest = rest[(end + 1)...]
        }
    }
}
