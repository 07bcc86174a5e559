internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// One location on its way to everybody who may have it: made into bytes once for all who get the same.
final class Publication {
    let location: Location
    /// Whether it is a receiver's fix, or what the reducer made of one.
    let accuracy: AccuracyAuthorization
    /// How many frames were encoded.
    private(set) var encoded = 0
    /// With more to come, and as the last one.
    private var continuing: ByteBuffer?
    private var last: ByteBuffer?

    init(_ location: Location, accuracy: AccuracyAuthorization = .full) {
        self.location = location
        self.accuracy = accuracy
    }

    /// The reply of a stream that carries what was released of this location, and was counted.
    func frame(of counted: borrowing Counted<Location>, continues: Bool) -> ByteBuffer {
        if let made = continues ? continuing : last { return made }
        let frame = LocationUpdateFrame.encode(counted.value, continues: continues)
        if continues { continuing = frame } else { last = frame }
        encoded += 1
        return frame
    }
}
