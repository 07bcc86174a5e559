/// Reads a caster's answer as it arrives: of NTRIP 2.0, which is HTTP, and of 1.0, which looks like it.
package struct CasterAnswer: Sendable {
    package enum Content: Sendable, Equatable {
        case corrections, sourceTable
    }

    package enum Event: Sendable, Equatable {
        /// The answer has this content, which follows.
        case began(Content)
        case data([UInt8])
        /// The content is complete.
        case ended
        /// There is no content. Nothing follows.
        case refused(CasterRefusal)
    }

    private enum Phase {
        case statusLine
        /// The headers of HTTP.
        case headers
        /// The headers of a source table of NTRIP 1.0, if there are any.
        case tableHeaders
        case body, over
    }

    /// The maximum length of the headers, with the first line, in bytes.
    package static let maximumHeader = 8192

    private var phase = Phase.statusLine
    private var headerLength = 0
    private var line: [UInt8] = []
    private var contentType = ""
    private var chunks: ChunkReader?

    package init() {}

    /// Consumes bytes and returns the events that they cause.
    package mutating func receive(_ bytes: [UInt8]) -> [Event] {
        var rest = bytes[...]
        var events: [Event] = []
        while !rest.isEmpty {
            switch phase {
            case .statusLine, .headers, .tableHeaders: events += header(rest.removeFirst())
            case .body: events += body(&rest)
            case .over: return events
            }
        }
        return events
    }

    // MARK: The header

    private mutating func header(_ byte: UInt8) -> [Event] {
        headerLength += 1
        // Attack: headers without end.
        guard headerLength <= Self.maximumHeader else { return refuse(.malformed("its headers are too long")) }
        guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            return []
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        line = []
        switch phase {
        case .statusLine: return status(text)
        case .headers: return field(text)
        default: return tableHeader(text)
        }
    }

    private mutating func status(_ text: String) -> [Event] {
        let words = text.uppercased().split(separator: " ")
        switch words.first {
        // Headers or an empty line may follow. They are not frames, so that they do not matter.
        case "ICY" where words.dropFirst().first == "200": return begin(.corrections)
        case "SOURCETABLE" where words.dropFirst().first == "200": phase = .tableHeaders
        case "ERROR" where words.contains { $0.hasPrefix("PASSWORD") || $0.hasPrefix("AUTH") }:
            return refuse(.credentials)
        case "ERROR" where words.contains { $0.hasPrefix("MOUNT") }: return refuse(.noMountPoint)
        case "ERROR": return refuse(.unavailable(text))
        case let version? where version.hasPrefix("HTTP/1."):
            return status(Int(words.dropFirst().first ?? "") ?? 0, text)
        default: return refuse(.malformed("it begins with \"\(text.prefix(80))\""))
        }
        return []
    }

    private mutating func status(_ code: Int, _ text: String) -> [Event] {
        switch code {
        case 200:
            phase = .headers
            return []
        case 401, 403, 407: return refuse(.credentials)
        case 404: return refuse(.noMountPoint)
        case 300..<400: return refuse(.redirected)
        default: return refuse(.unavailable(text))
        }
    }

    private mutating func field(_ text: String) -> [Event] {
        guard !text.isEmpty else {
            // Casters exist that answer a wrong name with a table of the type text/plain.
            let isTable = contentType.hasPrefix("gnss/sourcetable") || contentType.hasPrefix("text/")
            return begin(isTable ? .sourceTable : .corrections)
        }
        let name = text.prefix { $0 != ":" }.lowercased()
        let value = text.dropFirst(name.count + 1).drop { $0 == " " || $0 == "\t" }.lowercased()
        switch name {
        case "content-type": contentType = value
        case "transfer-encoding" where value.contains("chunked"): chunks = ChunkReader()
        default: break
        }
        return []
    }

    private mutating func tableHeader(_ text: String) -> [Event] {
        if text.isEmpty { return begin(.sourceTable) }
        guard SourceTable.isRow(text) else {
            if text.lowercased().hasPrefix("transfer-encoding:"), text.lowercased().contains("chunked") {
                chunks = ChunkReader()
            }
            return []
        }
        return begin(.sourceTable) + [.data(Array("\(text)\r\n".utf8))]
    }

    private mutating func begin(_ content: Content) -> [Event] {
        phase = .body
        return [.began(content)]
    }

    private mutating func refuse(_ refusal: CasterRefusal) -> [Event] {
        phase = .over
        return [.refused(refusal)]
    }

    // MARK: The body

    private mutating func body(_ rest: inout ArraySlice<UInt8>) -> [Event] {
        guard var reader = chunks else {
            defer { rest = [] }
            return [.data(Array(rest))]
        }
        defer { chunks = reader }
        do throws(InvalidChunk) {
            if let part = try reader.next(in: &rest) { return [.data(Array(part))] }
        } catch {
            return refuse(.malformed("a chunk has an impossible size"))
        }
        guard reader.isOver else { return [] }
        phase = .over
        return [.ended]
    }
}
