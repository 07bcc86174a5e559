internal import Devices
internal import EventLoopSupport
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import NIOCore
internal import NIOPosix
internal import Receivers

/// Listens at serial ports until the traffic identifies each of them, or the time is over. Nothing is written to them.
final class PortListener {
    /// The interval for checking the receivers.
    private static let period = TimeAmount.milliseconds(100)

    private let loop: any EventLoop
    private let end: NIODeadline
    private let ports: [SetupPort]
    private let receivers: [Receiver]
    private let timer: DeadlineTimer
    private let result: EventLoopPromise<[SetupPort]>

    /// Returns the ports with their traffic. Ends early, with all ports closed, if the task is cancelled.
    static func listen(at ports: [SetupPort], for limit: Duration) async throws -> [SetupPort] {
        guard !ports.isEmpty else { return [] }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let listener = try await loop.submit {
            let listener = PortListener(ports, for: limit, on: loop)
            listener.start()
            return NIOLoopBound(listener, eventLoop: loop)
        }.get()
        return try await withTaskCancellationHandler {
            try await loop.flatSubmit { listener.value.result.futureResult }.get()
        } onCancel: {
            loop.execute { listener.value.finish() }
        }
    }

    private init(_ ports: [SetupPort], for limit: Duration, on loop: any EventLoop) {
        self.ports = ports
        self.loop = loop
        let (seconds, attoseconds) = limit.components
        end = loop.now + .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
        receivers = ports.map { port in
            Receiver(.serial(path: port.path, baudRate: nil), on: loop, seed: 0, clock: { Self.now })
        }
        timer = DeadlineTimer(on: loop)
        result = loop.makePromise()
    }

    private static var now: Timestamp { AgentEvents.now }

    private func start() {
        for receiver in receivers { receiver.start() }
        look()
    }

    private func look() {
        guard loop.now < end, !receivers.allSatisfy(Self.isDecided) else { return finish() }
        timer.set(loop.now + Self.period) { self.look() }
    }

    private func finish() {
        timer.cancel()
        result.succeed(zip(ports, receivers).map(Self.heard))
        for receiver in receivers { receiver.stop() }
    }

    /// Returns whether a port is identified, so that more time would not help.
    private static func isDecided(_ receiver: Receiver) -> Bool {
        switch receiver.lastFailure?.reason {
        case .missing, .busy, .notPermitted, .unusable: return true
        default: break
        }
        let source = receiver.status
        switch source.diagnosis.condition {
        case .fix, .undated, .noFix, .noSatellites, .noDate: return source.serialSettings != nil
        case .nothing, .unreadable, .otherProtocol, .noPosition, nil: return false
        }
    }

    /// Returns a port with its traffic.
    private static func heard(_ port: SetupPort, at receiver: Receiver) -> SetupPort {
        var port = port
        switch receiver.lastFailure?.reason {
        case .missing, .busy, .notPermitted, .unusable, .disconnected: port.obstacle = receiver.lastFailure?.message
        default: break
        }
        let source = receiver.status
        var summary = ReceiverSummary(
            name: receiver.name, specification: receiver.specification.description, state: status(receiver.state),
            fixes: source.statistics.fixes)
        summary.baudRate = source.serialSettings?.bitsPerSecond
        summary.framing = source.serialSettings?.framing.rawValue
        summary.condition = source.diagnosis.condition
        summary.protocolName = source.diagnosis.protocolName
        summary.satellitesInView = source.diagnosis.satellitesInView
        if port.obstacle == nil { port.heard = summary }
        return port
    }

    private static func status(_ state: ReceiverState) -> ReceiverStatus {
        switch state {
        case .stopped: .stopped
        case .connecting: .connecting
        case .waitingForFix: .searching
        case .running: .running
        case .lost: .lost
        }
    }
}
