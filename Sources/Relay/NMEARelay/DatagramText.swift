/// The sentences of a datagram.
package enum DatagramText {
    /// The end of a datagram of text.
    package enum End: Equatable {
        /// The end of a line, or the datagram is not text: a UBX frame may continue in the next one.
        case whole
        /// The end of a sentence without the end of its line. Senders omit it, since a datagram has its own end; the
        /// first sentence of the next datagram would otherwise be lost together with this one.
        case sentence
        /// Any other end: a serial bridge has cut a sentence and sends its rest in the next datagram, or the sentence
        /// has no checksum.
        case open
    }

    /// Returns the end of a datagram.
    package static func end(of datagram: some BidirectionalCollection<UInt8>) -> End {
        guard let last = datagram.last, last != UInt8(ascii: "\n"), datagram.allSatisfy(isText) else { return .whole }
        let digits = datagram.suffix(4).filter { $0 != UInt8(ascii: "\r") }.suffix(3)
        let hasChecksum = digits.count == 3 && digits.first == UInt8(ascii: "*") && digits.dropFirst().allSatisfy(isHex)
        return hasChecksum ? .sentence : .open
    }

    /// Returns whether the datagram starts with a sentence.
    package static func beginsSentence(_ datagram: some Collection<UInt8>) -> Bool {
        datagram.first == UInt8(ascii: "$") || datagram.first == UInt8(ascii: "!")
    }

    private static func isText(_ byte: UInt8) -> Bool { (0x20...0x7e).contains(byte) || byte == 0x0d || byte == 0x0a }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xdf)
    }
}
