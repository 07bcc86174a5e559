internal import FoundationEssentials
internal import LocationctlSupport
internal import NIOCore

/// A property list in any format: XML, binary, or the text format of `.strings` files.
enum PropertyListFile {
    /// The maximum size of a file, in bytes.
    static let largest = 1 << 20
    /// The maximum nesting depth of arrays and dictionaries; an app's are three deep.
    static let deepest = 128

    /// Reads and decodes the file at `path`; `-` is standard input.
    static func read<Value: Decodable>(_ type: Value.Type, path: String) throws(Failure) -> Value {
        let file = try ChunkedInput(path: path)
        var data = Data()
        while let chunk = try file.next() {
            data.append(contentsOf: chunk.readableBytesView)
            guard data.count <= largest else { throw Failure(.failed, "\(path): is larger than \(largest) bytes") }
        }
        guard nesting(inXML: data) <= deepest else {
            throw Failure(.failed, "\(path): arrays and dictionaries are nested more than \(deepest) deep")
        }
        do {
            return try PropertyListDecoder().decode(type, from: data)
        } catch {
            throw Failure(.failed, "\(path): " + Terminal.printable(reason(error)))
        }
    }

    /// Returns the nesting depth of the arrays and dictionaries in an XML property list of any encoding.
    ///
    /// Foundation's XML reader recurses into each container and runs out of stack at some ten thousand levels. Its
    /// readers of the other formats do not.
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

    /// Returns the reason in words, with the key of the value at fault.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty:
            return "is not a property list with keys: \(context.debugDescription)"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            return context.codingPath.map(\.stringValue).joined(separator: ".") + ": \(context.debugDescription)"
        case DecodingError.dataCorrupted(let context):
            let detail = (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
            return "is not a property list: \(detail ?? context.debugDescription)"
        default: return "is not a property list: \(error)"
        }
    }
}
