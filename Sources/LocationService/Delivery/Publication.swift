internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// One location on its way to everybody who may have it: encoded once for all who get the same.
final class Publication {
    let location: Location
    /// Full for a receiver's fix, reduced for a location of the reducer's.
    let accuracy: AccuracyAuthorization
    /// The number of replies that were encoded.
    private(set) var encoded = 0
    /// With more to follow, and as the last one.
    private var continuing: EncodedReply<Subscribe>?
    private var last: EncodedReply<Subscribe>?

    init(_ location: Location, accuracy: AccuracyAuthorization = .full) {
        self.location = location
        self.accuracy = accuracy
    }

    /// Returns the reply of a stream that carries what was released of this location, and was counted.
    func reply(_ counted: borrowing Counted<Location>, continues: Bool) -> EncodedReply<Subscribe> {
        if let known = continues ? continuing : last { return known }
        let reply = EncodedReply.location(counted.value, continues: continues)
        if continues { continuing = reply } else { last = reply }
        encoded += 1
        return reply
    }
}
