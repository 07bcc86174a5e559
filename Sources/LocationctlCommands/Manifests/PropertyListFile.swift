internal import FoundationEssentials
internal import NIOCore

/// A property list, in any of its spellings: XML, binary, or text as `.strings` files are.
enum PropertyListFile {
    /// The greatest one that is read, in bytes.
    static let largest = 1 << 20
    /// How many arrays and dictionaries may be in each other: those of an app are three deep.
    static let deepest = 128

    /// Reads the file; `-` is standard input.
    static func read<Value: Decodable>(_ type: Value.Type, path: String) throws(Failure) -> Value {
        let file = try InputFile(path: path)
        var data = Data()
        while let chunk = try file.next() {
            data.append(contentsOf: chunk.readableBytesView)
            guard data.count <= largest else { throw Failure(.failed, "\(path): has more than \(largest) bytes") }
        }
        guard nesting(inXML: data) <= deepest else {
            throw Failure(
                .failed, "\(path): is no property list: has more than \(deepest) arrays and dictionaries in each other")
        }
        do {
            return try PropertyListDecoder().decode(type, from: data)
        } catch {
            throw Failure(.failed, "\(path): " + Terminal.printable(reason(error)))
        }
    }

    /// How deep the containers of an XML property list are in each other, whatever its encoding.
    ///
    /// Foundation's reader of XML calls itself for each, and runs out of stack at some ten thousand; those of the other
    /// spellings do not.
    private static func nesting(inXML data: Data) -> Int {
        var (depth, deepest) = (0, 0)
        for tag in data.filter({ $0 != 0 }).split(separator: UInt8(ascii: "<")) {
            let isEmpty = tag.prefix { $0 != UInt8(ascii: ">") }.last == UInt8(ascii: "/")
            if !isEmpty, tag.starts(with: "array".utf8) || tag.starts(with: "dict".utf8) {
                depth += 1
            } else if tag.starts(with: "/array".utf8) || tag.starts(with: "/dict".utf8) {
                depth -= 1
            }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    /// The reason, with the key of the value that is at fault.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty:
            return "is no property list with keys: \(context.debugDescription)"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            return context.codingPath.map(\.stringValue).joined(separator: ".") + ": \(context.debugDescription)"
        case DecodingError.dataCorrupted(let context):
            let detail = (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
            return "is no property list: \(detail ?? context.debugDescription)"
        default: return "is no property list: \(error)"
        }
    }
}
