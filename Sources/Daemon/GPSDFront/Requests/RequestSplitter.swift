/// Splits a client's bytes into requests.
///
/// A request begins with `?` and ends with a line end, with `;` outside braces, or with the brace that closes the first
/// one: OpenCPN sends `?WATCH={"class":"WATCH", "nmea":true}` with nothing after it, and gpsd replies to that. A line
/// that does not begin with `?` is ignored, as in gpsd. Where the bytes are cut makes no difference.
///
/// A request may have ``maximumLength`` bytes; gpsd 3.22 reads 80. No more than that is ever kept.
struct RequestSplitter {
    /// The maximum length of a request, in bytes, with its `?` and without the line end.
    static let maximumLength = 1024

    /// An item in the bytes.
    enum Piece: Equatable {
        /// A request, from its `?` to its `;` or brace, without a line end.
        case request([UInt8])
        /// A request longer than ``maximumLength``. The rest of its line is ignored.
        case overlong
    }

    private enum State {
        case betweenRequests
        case inRequest
        /// Everything up to the next line end is ignored.
        case ignoring
    }

    private var state = State.betweenRequests
    /// The request so far.
    private var request: [UInt8] = []
    /// The number of open braces.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Returns the next piece in `bytes` at or after `offset`, or `nil` at their end. Moves `offset` past the bytes
    /// that were read.
    mutating func next(in bytes: RawSpan, at offset: inout Int) -> Piece? {
        while offset < bytes.byteCount {
            let byte = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            offset += 1
            switch state {
            case .betweenRequests: begin(with: byte)
            case .ignoring: if byte == UInt8(ascii: "\n") { state = .betweenRequests }
            case .inRequest:
                if let piece = add(byte) { return piece }
            }
        }
        return nil
    }

    private mutating func begin(with byte: UInt8) {
        switch byte {
        case UInt8(ascii: "?"):
            state = .inRequest
            request.append(byte)
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ";"): break
        default: state = .ignoring
        }
    }

    private mutating func add(_ byte: UInt8) -> Piece? {
        if byte == UInt8(ascii: "\n") { return end() }
        guard request.count < Self.maximumLength else {
            _ = end()
            state = .ignoring
            return .overlong
        }
        request.append(byte)
        return endsRequest(byte) ? end() : nil
    }

    /// Returns whether `byte`, which is not a line end, ends the request.
    private mutating func endsRequest(_ byte: UInt8) -> Bool {
        if isInString {
            isInString = byte != UInt8(ascii: "\"") || isEscaped
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            return false
        }
        switch byte {
        case UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "}") where depth > 0:
            depth -= 1
            return depth == 0
        case UInt8(ascii: "\"") where depth > 0: isInString = true
        case UInt8(ascii: ";"): return depth == 0
        default: break
        }
        return false
    }

    private mutating func end() -> Piece {
        if request.last == UInt8(ascii: "\r") { request.removeLast() }
        // An idle connection keeps no buffer.
        let piece = Piece.request(request)
        self = RequestSplitter()
        return piece
    }
}
