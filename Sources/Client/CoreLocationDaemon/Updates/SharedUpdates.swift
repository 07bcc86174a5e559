internal import LocationClient
internal import LocationProtocol
internal import NIOCore

/// The location streams of this process. Consumers with the same options share one stream, and so one connection: the
/// daemon limits the connections of an app. Confined to the event loop.
///
/// A stream with a distance filter is not shared, since a joining consumer would wait for the next movement. A paused
/// stream is not shared either, since the consumer would wait for the device to set off.
final class SharedUpdates: Sendable {
    /// A closure that receives the steps of a stream.
    typealias Consumer = @Sendable (StreamStep<LocationUpdate>) -> Void

    private final class Feed {
        let options: LocationClient.Options
        var consumers: [Int: Consumer] = [:]
        var handle: CancellationHandle?
        var state = SharedStreamState()

        init(_ options: LocationClient.Options) {
            self.options = options
        }

        var isShared: Bool { options.distanceFilter == nil && !state.isPaused }
    }

    private struct State {
        var feeds: [Feed] = []
        var count = 0
    }

    private let client: LocationClient
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    init(_ client: LocationClient, on loop: any EventLoop) {
        self.client = client
        self.loop = loop
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Subscribes `consumer` to a stream with these options. If the stream was already open, its state is reported
    /// first, later and from the event loop.
    ///
    /// - Returns: The handle that ends the subscription, on the event loop.
    func subscribe(_ options: LocationClient.Options, _ consumer: @escaping Consumer) -> CancellationHandle {
        state.value.count += 1
        let number = state.value.count
        let known = state.value.feeds.first { $0.options == options && $0.isShared }
        let feed = known ?? Feed(options)
        feed.consumers[number] = consumer
        if known == nil { open(feed) } else { reportState(of: feed, to: number) }
        let bound = NIOLoopBound(feed, eventLoop: loop)
        return CancellationHandle { [self] in leave(bound.value, number) }
    }

    /// Handles a change of the app's authorization: joining consumers do not receive earlier locations.
    func authorizationChanged(to authorization: AuthorizationState) {
        for feed in state.value.feeds { feed.state.authorizationChanged(to: authorization) }
    }

    private func open(_ feed: Feed) {
        state.value.feeds.append(feed)
        let bound = NIOLoopBound(feed, eventLoop: loop)
        feed.handle = client.updates(feed.options).subscribe(waitsForDaemon: true) { [self] step in
            receive(step, bound.value)
        }
    }

    private func reportState(of feed: Feed, to number: Int) {
        let bound = NIOLoopBound(feed, eventLoop: loop)
        loop.execute {
            let feed = bound.value
            // Either may have changed in the meantime; the consumer has then received the change.
            if let last = feed.state.last { feed.consumers[number]?(.element(.location(last))) }
            if let interruption = feed.state.interruption { feed.consumers[number]?(.element(interruption)) }
        }
    }

    private func receive(_ step: StreamStep<LocationUpdate>, _ feed: Feed) {
        switch step {
        case .element(let update): feed.state.received(update)
        case .ended: forget(feed)
        }
        for number in feed.consumers.keys.sorted() { feed.consumers[number]?(step) }
    }

    private func leave(_ feed: Feed, _ number: Int) {
        feed.consumers[number] = nil
        guard feed.consumers.isEmpty else { return }
        forget(feed)
        feed.handle?.cancel()
        feed.handle = nil
    }

    private func forget(_ feed: Feed) {
        state.value.feeds.removeAll { $0 === feed }
        feed.state.ended()
    }
}
