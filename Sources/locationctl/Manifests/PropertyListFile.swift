internal import FoundationEssentials
internal import NIOCore

/// A property list, in any of its spellings: XML, binary, or text as `.strings` files are.
enum PropertyListFile {
    /// The greatest one that is read, in bytes.
    static let largest = 1 << 20

    /// Reads the file; `-` is standard input.
    static func read<Value: Decodable>(_ type: Value.Type, path: String) throws(Failure) -> Value {
        let file = try InputFile(path: path)
        var data = Data()
        while let chunk = try file.next() {
            data.append(contentsOf: chunk.readableBytesView)
            guard data.count <= largest else { throw Failure(.failed, "\(path): has more than \(largest) bytes") }
        }
        do {
            return try PropertyListDecoder().decode(type, from: data)
        } catch {
            throw Failure(.failed, "\(path): " + Terminal.printable(reason(error)))
        }
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
