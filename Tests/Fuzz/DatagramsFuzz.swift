import NMEA

@testable import NMEARelay
@testable import Receivers

/// Joins datagrams that cut sentences as the daemon's relay does, and recognizes other protocols in them.
func fuzzDatagrams(_ input: [UInt8]) {
    guard let input = CutInput(input) else { return }
    let found = input.read { pieces in
        var recognizer = ProtocolRecognizer()
        for piece in pieces { recognizer.read(piece.span.bytes) }
        return recognizer.found
    }
    _ = found?.name
    var decoder = NMEADecoder()
    var isOpen = false
    let length = max(1, Int(input.first))
    for start in stride(from: input.bytes.startIndex, to: input.bytes.endIndex, by: length) {
        var datagram = Array(input.bytes[start..<min(start + length, input.bytes.endIndex)])
        var recognition = ProtocolRecognition()
        if recognition.examine(datagram) != nil { continue }
        if isOpen, DatagramText.beginsSentence(datagram) { datagram = Array("\r\n".utf8) + datagram }
        let end = DatagramText.end(of: datagram)
        if end == .sentence { datagram += Array("\r\n".utf8) }
        isOpen = end == .open
        decoder.decode(datagram.span.bytes) { _ in }
    }
    precondition(decoder.counts.messages <= UInt64(input.bytes.count))
}
