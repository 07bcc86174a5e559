@testable import GPSDFront

/// Returns the pieces of an input that comes in fragments of `length` bytes.
func pieces(of input: [UInt8], inFragmentsOf length: Int) -> [RequestSplitter.Piece] {
    var splitter = RequestSplitter()
    var pieces: [RequestSplitter.Piece] = []
    for start in stride(from: 0, to: input.count, by: length) {
        let fragment = Array(input[start..<min(start + length, input.count)])
        var offset = 0
        while let piece = splitter.next(in: fragment.span.bytes, at: &offset) { pieces.append(piece) }
    }
    return pieces
}

extension RequestSplitter.Piece {
    /// The text of a request, or `nil` for one that is too long.
    var text: String? {
        guard case .request(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
