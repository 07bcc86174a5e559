internal import EventLoopSupport
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// The streams of headings.
final class HeadingMonitoring {
    /// A device that has not reported a heading for so long has no compass.
    static let timeout = TimeAmount.seconds(10)

    private let gate: Gate
    private let record: Record
    private let loop: any EventLoop
    private(set) var streams: [HeadingStream] = []

    /// A stream, its filter and its time.
    final class HeadingStream {
        let events: EventStream<MonitorHeading>
        let app: AppKey
        var filter: HeadingFilter
        /// Set until the first heading comes.
        let timeout: LoopTimer

        init(_ events: EventStream<MonitorHeading>, of app: AppKey, filter: HeadingFilter, on loop: any EventLoop) {
            timeout = LoopTimer(on: loop)
            self.events = events
            self.app = app
            self.filter = filter
        }
    }

    init(gate: Gate, record: Record, on loop: any EventLoop) {
        self.gate = gate
        self.record = record
        self.loop = loop
    }

    /// Headings come as often as the compass tells them.
    var plan: ReceiverPlan { streams.isEmpty ? .off : .continuous }

    /// Opens a stream. Returns what ends it.
    func open(
        _ events: EventStream<MonitorHeading>, of app: AppKey, degrees: Double?
    ) throws(VarlinkError) -> () -> Void {
        try gate.check(app, for: .heading)
        let filter = HeadingFilter(degrees: degrees ?? HeadingFilter.standardDegrees)
        let stream = HeadingStream(events, of: app, filter: filter, on: loop)
        streams.append(stream)
        stream.timeout.set(in: Self.timeout) {
            events.call.fail(.location(.headingUnavailable))
        }
        return { [unowned self] in
            stream.timeout.cancel()
            streams.removeAll { $0 === stream }
        }
    }

    /// Delivers a heading to whom it is due.
    func deliver(_ heading: Heading) {
        for stream in streams {
            do throws(VarlinkError) {
                stream.timeout.cancel()
                let presence = stream.events.presence
                guard
                    let released = try gate.release(
                        heading, madeFor: stream.app, needing: .heading, presence: presence),
                    released.verdict(of: { stream.filter.admits($0) })
                else { continue }
                stream.events.offer(record.count(released.map { MonitorHeading.Reply(heading: $0) }))
            } catch {
                stream.events.call.fail(error)
            }
        }
    }

    /// An app, or who sits at the machine, has come or gone.
    func presenceChanged(_ presences: Presences, _ connected: [AppKey: ConnectedApp]) {
        for stream in streams {
            guard let app = connected[stream.app] else { continue }
            stream.events.presence = presences.presence(of: app, stream.events.call.connection.peer)
        }
    }

    /// Ends the streams of apps that may not have them any more.
    func authorizationChanged() {
        for stream in streams {
            do throws(VarlinkError) {
                try gate.check(stream.app, for: .heading)
            } catch {
                stream.events.call.fail(error)
            }
        }
    }
}
