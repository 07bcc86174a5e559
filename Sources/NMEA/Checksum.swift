/// Returns the NMEA 0183 checksum of a sentence's body, which is the part between `$` and `*`: the exclusive or of
/// all bytes. It is written as two hexadecimal digits after the `*`.
public func checksum(of body: Span<UInt8>) -> UInt8 {
    var sum: UInt8 = 0
    for index in body.indices { sum ^= body[index] }
    return sum
}
