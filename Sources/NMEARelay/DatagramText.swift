/// The sentences of a datagram.
package enum DatagramText {
    /// Returns whether a datagram lacks the end of its last line. Senders leave it out, since a datagram has an end of
    /// its own; the sentences of the next one would be lost with this one's last.
    ///
    /// Only of text: a frame of UBX may go on in the next datagram.
    package static func lacksLineEnd(_ datagram: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = datagram.first, let last = datagram.last else { return false }
        return (first == UInt8(ascii: "$") || first == UInt8(ascii: "!")) && last != UInt8(ascii: "\n")
    }
}
