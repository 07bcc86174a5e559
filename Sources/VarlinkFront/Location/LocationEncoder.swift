internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// Encodes each location once for all streams that get the same. Confined to the event loop.
final class LocationEncoder {
    /// The number of replies that were encoded.
    private(set) var count = 0
    /// What was encoded last.
    private var publication: Publication?
    private var continuing: EncodedReply<Subscribe>?
    private var last: EncodedReply<Subscribe>?

    /// Returns the reply of a stream that carries what was released of a publication, and was counted.
    func reply(
        _ location: borrowing Counted<Location>, of publication: Publication, continues: Bool
    ) -> EncodedReply<Subscribe> {
        if publication !== self.publication {
            self.publication = publication
            continuing = nil
            last = nil
        }
        if let known = continues ? continuing : last { return known }
        let reply = EncodedReply.location(location.value, continues: continues)
        if continues { continuing = reply } else { last = reply }
        count += 1
        return reply
    }
}
