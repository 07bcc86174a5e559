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
    /// A few at most, so that a search costs less than hashing.
    private var frames: [(content: Content, frame: ByteBuffer)] = []

    /// What tells one frame from another.
    private struct Content: Equatable {
        let accuracy: AccuracyAuthorization
        let continues: Bool
    }

    init(_ location: Location) {
        self.location = location
    }

    /// The reply of a stream that carries what was released of this fix.
    func frame(of released: Released<Location>, continues: Bool) -> ByteBuffer {
        let content = Content(accuracy: released.accuracy, continues: continues)
        if let made = frames.first(where: { $0.content == content }) { return made.frame }
        let frame = LocationUpdateFrame.encode(released.value, continues: continues)
        frames.append((content, frame))
        encoded += 1
        return frame
    }
}
