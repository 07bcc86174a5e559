internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Receivers
internal import Varlink

/// Encodes each location once for all subscriptions that receive it. Confined to the event loop.
final class LocationEncoder {
    /// The number of encoded replies.
    private(set) var count = 0
    /// The last publication that was encoded.
    private var publication: Publication?
    private var continuing: EncodedReply<Subscribe>?
    private var last: EncodedReply<Subscribe>?

    /// Returns the reply that carries a released and counted location to a subscription.
    func reply(_ publication: borrowing Counted<Publication>, continues: Bool) -> EncodedReply<Subscribe> {
        if publication.value !== self.publication {
            self.publication = publication.value
            continuing = nil
            last = nil
        }
        if let known = continues ? continuing : last { return known }
        let reply = encode(publication.fix, continues: continues)
        if continues { continuing = reply } else { last = reply }
        count += 1
        return reply
    }

    /// Encodes the location in place, because a copy would cost more.
    private func encode(_ fix: Fix, continues: Bool) -> EncodedReply<Subscribe> {
        EncodedReply.location(fix.location, continues: continues)
    }
}
