internal import Linux

/// The watches of an epoll(7) instance. Confined to the event loop.
final class DescriptorWatches {
    let epoll: Epoll
    private var watches: [UInt64: DescriptorPoller.Watch] = [:]
    /// The id of the latest watch. Ids are never reused: an event may be on its way when its watch ends.
    private var lastID = Epoll.wakeID

    init() throws(SystemCallError) { epoll = try Epoll() }

    func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    func wait(
        on descriptor: CInt, _ watch: DescriptorPoller.Watch, for events: DescriptorPoller.Events
    ) throws(SystemCallError) {
        try epoll.wait(on: descriptor, id: watch.id, for: events)
        if !watch.isKept {
            watch.isKept = true
            watches[watch.id] = watch
        }
    }

    func forget(_ watch: DescriptorPoller.Watch, _ descriptor: CInt) {
        guard watches.removeValue(forKey: watch.id) != nil else { return }
        epoll.forget(descriptor)
    }

    func report(_ events: DescriptorPoller.Events, id: UInt64) { watches[id]?.report(events) }
}
