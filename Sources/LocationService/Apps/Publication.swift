internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// One fix on its way to everybody: made into bytes once for all who get the same.
final class Publication {
    let location: Location
    /// How many frames were encoded.
    private(set) var encoded = 0
    private var frames: [Content: ByteBuffer] = [:]

    /// What tells one frame from another.
    private struct Content: Hashable {
        let accuracy: AccuracyAuthorization
        let continues: Bool
    }

    init(_ location: Location) {
        self.location = location
    }

    /// The reply of a stream that carries what was released of this fix.
    func frame(of released: ReleasedLocation, continues: Bool) -> ByteBuffer {
        let content = Content(accuracy: released.accuracy, continues: continues)
        if let frame = frames[content] { return frame }
        let frame = LocationUpdateFrame.encode(released.location, continues: continues)
        frames[content] = frame
        encoded += 1
        return frame
    }
}
