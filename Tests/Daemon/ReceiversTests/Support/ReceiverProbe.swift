import CGPS
import Devices
import LocationModel
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ReceiverSettings
import TestSupport

@testable import Receivers

/// A receiver on an event loop of its own, and the events that it has reported.
final class ReceiverProbe: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let receiver: NIOLoopBound<Receiver>
    private let handler: NIOLoopBound<EventHandler>
    private let transport = NIOLockedValueBox<NIOLoopBound<BluetoothTransport>?>(nil)
    private let recorded = NIOLockedValueBox<[ReceiverEvent]>([])
    private let recordedUpdates = NIOLockedValueBox<[ReceiverUpdate]>([])

    /// - Parameter isLostInSilence: `true` for a receiver that is lost after some seconds of silence, as it is in the
    ///   daemon. Otherwise its silence means nothing (``SilenceTolerantSource``).
    convenience init(
        _ specification: ReceiverSpecification, port: ReceiverPort? = nil, profile: ReceiverProfile? = nil,
        memory: (any SerialSettingsMemory & Sendable)? = nil, isLostInSilence: Bool = false, headingOffset: Double = 0,
        wallClock: (@Sendable () -> Int64)? = nil, clock: @escaping @Sendable () -> Timestamp = ReceiverProbe.now
    ) async throws {
        try await self.init { loop in
            Receiver(
                specification, name: specification.name, port: port ?? specification.port,
                headingOffset: headingOffset, on: loop
            ) { port -> any FixSource in
                let source = makeSource(
                    specification, port: port, name: specification.name, profile: profile, memory: memory,
                    wallClock: wallClock, on: loop, seed: 1, clock: clock, firstFixHelp: { FirstFixHelp() })
                return isLostInSilence ? source : SilenceTolerantSource(source)
            }
        }
    }

    convenience init(
        _ simulation: Simulation, clock: @escaping @Sendable () -> Timestamp = ReceiverProbe.now
    ) async throws {
        try await self.init { loop in
            Receiver(simulation, name: "demand", on: loop, seed: 1, clock: clock)
        }
    }

    /// - Parameters:
    ///   - thread: The thread that it shares with others.
    ///   - check: Returns whether a descriptor is to be read.
    convenience init(
        bluetooth address: String, thread: BluetoothThread,
        check: @escaping BluetoothDescriptor.Check = BluetoothDescriptor.isAcceptable
    ) async throws {
        let bound = NIOLockedValueBox<NIOLoopBound<BluetoothTransport>?>(nil)
        try await self.init { loop in
            let transport = BluetoothTransport(address, thread: thread, check: check, on: loop)
            bound.withLockedValue { $0 = NIOLoopBound(transport, eventLoop: loop) }
            let source = SentenceReceiver(over: transport, receiver: "bluetooth", on: loop, clock: ReceiverProbe.now)
            return Receiver(
                .bluetooth(address: address), name: "bluetooth", on: loop, source: SilenceTolerantSource(source))
        }
        transport.withLockedValue { $0 = bound.withLockedValue(\.self) }
    }

    init(make: @escaping @Sendable (any EventLoop) -> Receiver) async throws {
        let (recorded, recordedUpdates) = (recorded, recordedUpdates)
        let loop = group.any()
        (receiver, handler) = try await loop.submit {
            let receiver = make(loop)
            let handler = EventHandler { event in recorded.withLockedValue { $0.append(event) } }
            handler.onUpdate = { update in recordedUpdates.withLockedValue { $0.append(update) } }
            receiver.delegate = handler
            return (NIOLoopBound(receiver, eventLoop: loop), NIOLoopBound(handler, eventLoop: loop))
        }.get()
    }

    /// Returns the machine's time.
    @Sendable static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    var events: [ReceiverEvent] { recorded.withLockedValue(\.self) }

    var fixes: [Fix] { events.compactMap(\.fix) }

    /// The updates, also those from before ``forget()``.
    var updates: [ReceiverUpdate] { recordedUpdates.withLockedValue(\.self) }

    /// Runs `body` with the receiver on its event loop.
    @discardableResult
    func with<Result: Sendable>(_ body: @escaping @Sendable (Receiver) -> Result) async throws -> Result {
        let receiver = receiver
        return try await group.any().submit { body(receiver.value) }.get()
    }

    func start() async throws { try await with { $0.start() } }

    /// Starts a receiver whose handler stops it within the first event that satisfies `isLast`.
    func start(stoppingAt isLast: @escaping @Sendable (ReceiverEvent) -> Bool) async throws {
        try await stop(at: isLast)
        try await start()
    }

    /// Has the handler stop the receiver within each event that satisfies `isLast`.
    func stop(at isLast: @escaping @Sendable (ReceiverEvent) -> Bool) async throws {
        let handler = handler
        try await with { receiver in
            let record = handler.value.onEvent
            handler.value.onEvent = { event in
                record(event)
                if isLast(event) { receiver.stop() }
            }
        }
    }

    /// Drops the handler: later events are not recorded.
    func dropHandler() async throws { try await with { $0.delegate = nil } }

    func stop() async throws { try await with { $0.stop() } }

    /// Drops the events so far.
    func forget() { recorded.withLockedValue { $0.removeAll() } }

    /// Waits until `find` returns a value for the events.
    @discardableResult
    func wait<Result>(
        for awaited: String, _ find: ([ReceiverEvent]) -> Result?
    ) async throws -> Result {
        var result: Result?
        try await eventually("\(awaited); the events were \(events)") {
            result = find(events)
            return result != nil
        }
        return result!
    }

    /// Waits until the port is open, or gpsd has sent its greeting.
    func waitUntilOpen() async throws {
        try await eventually("opening; the events were \(events)") {
            // Bytes that were already waiting may be a fix.
            let state = try await with { $0.state }
            return state == .waitingForFix || state == .running
        }
    }

    func waitForFix() async throws -> Fix {
        try await wait(for: "fix") { $0.lazy.compactMap(\.fix).first }
    }

    func waitForLoss() async throws -> ReceiverFailure {
        try await wait(for: "loss") { $0.lazy.compactMap(\.failure).first }
    }

    /// Stops the receiver and its event loop, once its transport's thread has reported its end to that.
    func shutDown() async throws {
        try await stop()
        if let transport = transport.withLockedValue(\.self) {
            try await eventually("the end of the transport's thread") { try await with { _ in transport.value.isIdle } }
        }
        try await group.shutdownGracefully()
    }
}

/// Starts a receiver for `body`, and shuts it down afterwards.
func withReceiver(
    _ specification: ReceiverSpecification, profile: ReceiverProfile? = nil,
    clock: @escaping @Sendable () -> Timestamp = ReceiverProbe.now,
    _ body: (ReceiverProbe) async throws -> Void
) async throws {
    try await withReceiver(try await ReceiverProbe(specification, profile: profile, clock: clock), body)
}

/// Starts a receiver for `body`, and shuts it down afterwards.
func withReceiver(_ probe: ReceiverProbe, _ body: (ReceiverProbe) async throws -> Void) async throws {
    do {
        try await probe.start()
        try await body(probe)
    } catch {
        try await probe.shutDown()
        throw error
    }
    try await probe.shutDown()
}
