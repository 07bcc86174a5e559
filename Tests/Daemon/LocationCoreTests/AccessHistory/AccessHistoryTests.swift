import AuthorizationPolicy
import LocationModel
import Logging
import NIOCore
import NIOEmbedded
import PeerIdentity
import TestSupport
import Testing

@testable import LocationCore

/// The deliveries that the access history counts, and when it counts them.
@Suite struct AccessHistoryTests {
    private let loop = NIOAsyncTestingEventLoop()
    private static let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)

    /// A gate with one app that is granted everything, and the history.
    private final class Surroundings {
        let folder: TemporaryFolder
        let gate: Gate
        let history: AccessHistory

        init(on loop: any EventLoop) throws {
            folder = try TemporaryFolder()
            let store = Store(path: folder.path + "/locationd.db", timestamp: "then")
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let clock = { Timestamp(millisecondsSince1970: 1_800_000_000_000) }
            let table = AuthorizationTable(decisions: [
                AccessHistoryTests.maps: Decision(level: .always, accuracy: .full)
            ])
            gate = Gate(
                broker: AuthorizationBroker(
                    AuthorizationStateMachine(table: table, at: 1_800_000_000, nextMidnight: { $0 + 86_400 }),
                    store: store,
                    on: loop, clock: clock,
                    log: log))
            history = AccessHistory(
                log: AccessLog(
                    store: store, on: loop, retention: RetentionTime(reached: nil, on: loop, clock: clock), log: log),
                indicator: Indicator(), clock: clock)
        }

        func released(inBackground: Bool = false) throws -> Released<Int> {
            let presence: Presence = inBackground ? .background : .inUse
            return try #require(
                try gate.release(7, madeFor: AccessHistoryTests.maps, needing: .visits, presence: presence))
        }

        /// Returns the logged deliveries, in use and in the background.
        func counted() -> EventLoopFuture<[Int]> {
            history.log.entries(of: nil).map { entries in
                [false, true].map { background in
                    entries.filter { $0.background == background }.reduce(0) { $0 + ($1.deliveries ?? 0) }
                }
            }
        }
    }

    private func surroundings() async throws -> NIOLoopBound<Surroundings> {
        try await loop.executeInContext { NIOLoopBound(try Surroundings(on: loop), eventLoop: loop) }
    }

    private func counted(_ surroundings: NIOLoopBound<Surroundings>) async throws -> [Int] {
        try await loop.executeInContext { surroundings.value.counted() }.get()
    }

    @Test func aValueIsCountedWhenItIsRead() async throws {
        let surroundings = try await surroundings()
        try await loop.executeInContext {
            let counted = surroundings.value.history.count(try surroundings.value.released())
            #expect(counted.value == 7)
        }
        #expect(try await counted(surroundings) == [1, 0])
    }

    @Test func deliveriesAtOneMomentAreCountedEach() async throws {
        let surroundings = try await surroundings()
        let total = try await loop.executeInContext {
            let released = [try surroundings.value.released(), try surroundings.value.released(inBackground: true)]
            return surroundings.value.history.deliveries(to: UncollectedDeliveries(Self.maps)) { deliveries in
                for number in 0..<10 { _ = deliveries.count(released[number % 3 == 0 ? 1 : 0]).value }
                return deliveries.total
            }
        }
        #expect(total == 10)
        #expect(try await counted(surroundings) == [6, 4])
    }

    @Test func aVerdictIsNotADelivery() async throws {
        let surroundings = try await surroundings()
        try await loop.executeInContext {
            let released = try surroundings.value.released()
            #expect(released.verdict { $0 == 7 })
        }
        #expect(try await counted(surroundings) == [0, 0])
    }

    /// Attack: an app's file system delays the daemon until it gives up delivering an event, and accepts the event
    /// after that.
    @Test func anEventThatMayHaveArrivedCounts() async throws {
        let surroundings = try await surroundings()
        let outcomes: [(any Error)?] = [
            nil, WakeRefusal(description: "nobody listens"), WakeRefusal(description: "overdue", mayHaveArrived: true),
        ]
        for (outcome, expected) in zip(outcomes, [[1, 0], [1, 0], [2, 0]]) {
            try? await loop.executeInContext {
                let released = try surroundings.value.released()
                return surroundings.value.history.deliver(released) { _ in
                    outcome.map { loop.makeFailedFuture($0) } ?? loop.makeSucceededVoidFuture()
                }
            }.get()
            #expect(try await counted(surroundings) == expected)
        }
    }
}
