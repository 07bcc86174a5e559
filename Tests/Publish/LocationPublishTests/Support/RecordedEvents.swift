import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Publishing
import TestSupport

@testable import LocationPublishCommand

/// The events of a transport, in order.
final class RecordedEvents: Sendable {
    static let loop: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    private let events = NIOLockedValueBox<[TransportEvent]>([])

    var record: @Sendable (TransportEvent) -> Void {
        { [self] event in events.withLockedValue { $0.append(event) } }
    }

    /// The tokens that were acknowledged.
    var acknowledged: [SendQueue.Token] {
        events.withLockedValue { $0 }.compactMap { if case .acknowledged(let token) = $0 { token } else { nil } }
    }

    var isConnected: Bool {
        events.withLockedValue { $0 }.contains { if case .connected = $0 { true } else { false } }
    }

    /// Waits until the server has accepted the connection.
    func connected() async throws {
        try await eventually("the connection, not \(events.withLockedValue { $0 })") { isConnected }
    }

    /// Waits until that many messages are acknowledged, and returns their tokens.
    func acknowledged(_ count: Int) async throws -> [SendQueue.Token] {
        try await eventually("\(count) acknowledgements, not \(events.withLockedValue { $0 })") {
            acknowledged.count >= count
        }
        return acknowledged
    }

    /// Waits until messages may be sent.
    func ready() async throws {
        try await eventually("the connection, not \(events.withLockedValue { $0 })") {
            events.withLockedValue { $0 }.contains { if case .ready = $0 { true } else { false } }
        }
    }

    /// The messages that were refused, with the reasons.
    var refused: [(token: SendQueue.Token, reason: String)] {
        events.withLockedValue { $0 }.compactMap {
            if case .refused(let token, let reason) = $0 { (token, reason) } else { nil }
        }
    }

    /// Waits until that many messages are refused, and returns them.
    func refused(_ count: Int) async throws -> [(token: SendQueue.Token, reason: String)] {
        try await eventually("\(count) refusals, not \(events.withLockedValue { $0 })") { refused.count >= count }
        return refused
    }

    /// Waits for the end, and returns how long the server is to be left alone.
    func pause() async throws -> TimeAmount? {
        _ = try await closed()
        guard case .closed(_, let pause) = events.withLockedValue({ $0 }).last else { return nil }
        return pause
    }

    /// Waits for the end, and returns its reason.
    func closed() async throws -> String? {
        var reason: String??
        try await eventually("the end, not \(events.withLockedValue { $0 })") {
            for case .closed(let text, _) in events.withLockedValue({ $0 }) { reason = .some(text) }
            return reason != nil
        }
        // Nothing follows.
        if case .closed = events.withLockedValue({ $0 }).last {} else { throw Overdue(what: "the end to be the end") }
        return reason ?? nil
    }
}
