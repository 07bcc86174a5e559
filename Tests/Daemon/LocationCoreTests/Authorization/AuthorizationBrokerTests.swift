import AuthorizationPolicy
import LocationModel
import Logging
import NIOCore
import NIOEmbedded
import Positioning
import TestSupport
import Testing

@testable import LocationCore

/// The beginning and the end of decisions, in virtual time.
@Suite struct AuthorizationBrokerTests {
    private let loop = NIOAsyncTestingEventLoop()
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)

    /// A broker whose wall clock advances with the loop's clock.
    private final class Surroundings {
        static let start: Int64 = 1_800_000_000
        var changes = 0
        /// The number of seconds by which the wall clock was set forward.
        private let step: Step
        final class Step { var seconds: Int64 = 0 }
        let folder: TemporaryFolder
        let store: Store
        let broker: AuthorizationBroker

        init(on loop: NIOAsyncTestingEventLoop, table: AuthorizationTable = AuthorizationTable()) throws {
            let step = Step()
            self.step = step
            folder = try TemporaryFolder()
            store = Store(path: folder.path + "/locationd.db", timestamp: "then")
            broker = AuthorizationBroker(
                AuthorizationStateMachine(table: table, at: Self.start, nextMidnight: { $0 + 86_400 }), store: store,
                on: loop,
                clock: {
                    Timestamp(
                        millisecondsSince1970: (Self.start + step.seconds) * 1000
                            + Int64(loop.now.uptimeNanoseconds / 1_000_000))
                }, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            broker.onChange = { [unowned self] _ in changes += 1 }
            broker.start()
        }

        func set(forward seconds: Int64) { step.seconds += seconds }
    }

    /// Advances the wall clock but not the loop's, as if the machine had slept or the clock had been set.
    private func step(_ surroundings: NIOLoopBound<Surroundings>, seconds: Int64) async throws {
        try await loop.executeInContext {
            surroundings.value.set(forward: seconds)
            surroundings.value.broker.clockChanged()
        }
    }

    private func surroundings(_ table: AuthorizationTable = AuthorizationTable()) async throws -> NIOLoopBound<
        Surroundings
    > {
        try await loop.executeInContext { NIOLoopBound(try Surroundings(on: loop, table: table), eventLoop: loop) }
    }

    private func status(_ surroundings: NIOLoopBound<Surroundings>) async throws -> AuthorizationStatus {
        try await loop.executeInContext { surroundings.value.broker.table.authorization(of: maps).status }
    }

    private func store(_ surroundings: NIOLoopBound<Surroundings>) async throws -> Store {
        try await loop.executeInContext { surroundings.value.store }
    }

    private func decide(_ decision: Decision?, _ surroundings: NIOLoopBound<Surroundings>) async throws {
        try await loop.executeInContext { try surroundings.value.broker.decide(decision, about: maps) }.get()
    }

    @Test func aGrantHoldsWhenItIsOnDisk() async throws {
        let surroundings = try await surroundings()
        let future = try await loop.executeInContext {
            let future = try surroundings.value.broker.decide(Decision(level: .always), about: maps)
            #expect(surroundings.value.broker.table.authorization(of: maps).status == .notDetermined)
            return future
        }
        try await future.get()
        #expect(try await status(surroundings) == .authorizedAlways)
        #expect(try await store(surroundings).loadDecisions().table.decision(about: maps)?.level == .always)
    }

    @Test func aRefusalHoldsAtOnceAndIsNotOvertaken() async throws {
        let surroundings = try await surroundings()
        let futures = try await loop.executeInContext {
            let granted = try surroundings.value.broker.decide(Decision(level: .always), about: maps)
            let denied = try surroundings.value.broker.decide(.denied, about: maps)
            #expect(surroundings.value.broker.table.authorization(of: maps).status == .denied)
            return [granted, denied]
        }
        for future in futures { try await future.get() }
        #expect(try await status(surroundings) == .denied)
        #expect(try await store(surroundings).loadDecisions().table.decision(about: maps) == .denied)
    }

    @Test func whatEndsAfterSleepEndsAtItsMoment() async throws {
        let surroundings = try await surroundings()
        try await decide(
            Decision(level: .always, lifetime: .until(secondsSince1970: Surroundings.start + 5400)), surroundings)
        try await step(surroundings, seconds: 3600)
        #expect(try await status(surroundings) == .authorizedAlways)
        // The timer was set again, by the wall clock as it is now.
        await loop.advanceTime(by: .seconds(1799))
        #expect(try await status(surroundings) == .authorizedAlways)
        await loop.advanceTime(by: .seconds(1))
        #expect(try await status(surroundings) == .notDetermined)
    }

    @Test func whatEndsDuringSleepEndsWithIt() async throws {
        let surroundings = try await surroundings()
        try await decide(
            Decision(level: .always, lifetime: .until(secondsSince1970: Surroundings.start + 7200)), surroundings)
        try await step(surroundings, seconds: 8 * 3600)
        #expect(try await status(surroundings) == .notDetermined)
    }

    @Test func onceEndsTenSecondsAfterTheLastConnection() async throws {
        let surroundings = try await surroundings()
        func connect() async throws { try await loop.executeInContext { surroundings.value.broker.connected(maps) } }
        func closeLast() async throws {
            try await loop.executeInContext { surroundings.value.broker.disconnected(maps) }
        }
        try await connect()
        try await decide(Decision(level: .whenInUse, lifetime: .once), surroundings)
        await loop.advanceTime(by: .hours(5))
        #expect(try await status(surroundings) == .authorizedWhenInUse)
        try await closeLast()
        await loop.advanceTime(by: .seconds(9))
        // The app returns in time and disconnects again, so the ten seconds begin again.
        try await connect()
        try await closeLast()
        await loop.advanceTime(by: .seconds(9))
        #expect(try await status(surroundings) == .authorizedWhenInUse)
        await loop.advanceTime(by: .seconds(1))
        #expect(try await status(surroundings) == .notDetermined)
    }

    /// None of the processes that had it has returned.
    @Test func onceEndsAlsoWhenTheDaemonWasDownMeanwhile() async throws {
        let table = AuthorizationTable(decisions: [maps: Decision(level: .whenInUse, lifetime: .once)])
        let surroundings = try await surroundings(table)
        #expect(try await status(surroundings) == .notDetermined)
        await loop.advanceTime(by: .seconds(10))
        #expect(try await status(surroundings) == .notDetermined)
    }

    @Test func aDecisionEndsAtItsTime() async throws {
        let surroundings = try await surroundings()
        try await decide(
            Decision(level: .always, lifetime: .until(secondsSince1970: Surroundings.start + 7200)), surroundings)
        for expected in [AuthorizationStatus.authorizedAlways, .notDetermined] {
            await loop.advanceTime(by: .seconds(3600))
            #expect(try await status(surroundings) == expected)
        }
    }
}
