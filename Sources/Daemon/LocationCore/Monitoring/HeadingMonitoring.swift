internal import EventLoopSupport
package import LocationModel
internal import NIOCore
internal import Positioning

/// The open streams of headings.
package final class HeadingMonitoring {
    /// The time without a heading after which a device counts as having no compass.
    static let timeout = TimeAmount.seconds(10)

    private let gate: Gate
    private let history: AccessHistory
    private let loop: any EventLoop
    package private(set) var streams: [HeadingStream] = []

    /// A stream with its filter and its timeout.
    package final class HeadingStream: AppStream {
        let events: EventStream<Heading>
        package let app: AppKey
        /// The stream without the type of its events.
        package var stream: AnyEventStream { events }
        var filter: HeadingFilter
        /// Set until the first heading arrives.
        let timeout: LoopTimer

        init(_ events: EventStream<Heading>, of app: AppKey, filter: HeadingFilter, on loop: any EventLoop) {
            timeout = LoopTimer(on: loop)
            self.events = events
            self.app = app
            self.filter = filter
        }
    }

    init(gate: Gate, history: AccessHistory, on loop: any EventLoop) {
        self.gate = gate
        self.history = history
        self.loop = loop
    }

    /// The receiver plan that the streams need. Headings arrive as often as the compass reports them.
    var plan: ReceiverPlan { streams.isEmpty ? .off : .continuous }

    /// Opens a stream. Returns the function that ends it.
    func open(
        _ events: EventStream<Heading>, of app: AppKey, degrees: Double?
    ) throws(LocationFailure) -> () -> Void {
        try gate.check(app, for: .heading)
        let filter = HeadingFilter(degrees: degrees ?? HeadingFilter.defaultDegrees)
        let stream = HeadingStream(events, of: app, filter: filter, on: loop)
        streams.append(stream)
        stream.timeout.set(in: Self.timeout) {
            events.subscriber.end(.headingUnavailable)
        }
        return { [unowned self] in
            stream.timeout.cancel()
            streams.removeAll { $0 === stream }
        }
    }

    /// Delivers a heading on every stream that it is due on.
    func deliver(_ heading: Heading) {
        for stream in streams {
            do throws(LocationFailure) {
                stream.timeout.cancel()
                let presence = stream.events.presence
                guard
                    let released = try gate.release(
                        heading, madeFor: stream.app, needing: .heading, presence: presence),
                    released.verdict(of: { stream.filter.admits($0) })
                else { continue }
                stream.events.send(history.count(released))
            } catch {
                stream.events.subscriber.end(error)
            }
        }
    }

    /// Handles the coming or going of an app, or of the user at the machine.
    func presenceChanged(_ presences: Presences, _ connected: [AppKey: ConnectedApp]) {
        streams.presenceChanged(presences, connected)
    }

    /// Handles a change of the app's authorization.
    func authorizationChanged(_ key: AppKey) { streams.authorizationChanged(key, for: .heading, by: gate) }
}
