import Authorization
import NIOCore
import NIOEmbedded
import Positioning
import Testing

@testable import LocationService

/// How decisions take effect and end, in virtual time.
@Suite struct AuthorizationBrokerTests {
    private let loop = NIOAsyncTestingEventLoop()
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)

    /// A broker with what it is told from outside: how many connections there are, and what time it is.
    private final class Surroundings {
        var connections = 0
        var secondsSince1970: Int64 = 1_800_000_000
        var changes = 0
        let folder: TemporaryFolder
        let store: Store
        var broker: AuthorizationBroker!

        init(on loop: any EventLoop, table: AuthorizationTable = AuthorizationTable()) throws {
            folder = try TemporaryFolder()
            store = Store(path: folder.path + "/locationd.db", timestamp: "then")
            broker = AuthorizationBroker(
                table: table, store: store, on: loop,
                clock: { [unowned self] in Timestamp(millisecondsSince1970: secondsSince1970 * 1000) },
                connectionCount: { [unowned self] _ in connections })
            broker.onChange = { [unowned self] _ in changes += 1 }
            broker.start()
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
        try await loop.executeInContext { surroundings.value.broker.decide(decision, about: maps) }.get()
    }

    @Test func aGrantHoldsWhenItIsOnDisk() async throws {
        let surroundings = try await surroundings()
        let future = try await loop.executeInContext {
            let future = surroundings.value.broker.decide(Decision(level: .always), about: maps)
            #expect(surroundings.value.broker.table.authorization(of: maps).status == .notDetermined)
            return future
        }
        try await future.get()
        #expect(try await status(surroundings) == .authorizedAlways)
        #expect(try await store(surroundings).load().table.decision(about: maps)?.level == .always)
    }

    @Test func aRefusalHoldsAtOnceAndIsNotOvertaken() async throws {
        let surroundings = try await surroundings()
        let futures = try await loop.executeInContext {
            let granted = surroundings.value.broker.decide(Decision(level: .always), about: maps)
            let denied = surroundings.value.broker.decide(.denied, about: maps)
            #expect(surroundings.value.broker.table.authorization(of: maps).status == .denied)
            return [granted, denied]
        }
        for future in futures { try await future.get() }
        #expect(try await status(surroundings) == .denied)
        #expect(try await store(surroundings).load().table.decision(about: maps) == .denied)
    }

    @Test func onceEndsTenSecondsAfterTheLastConnection() async throws {
        let surroundings = try await surroundings()
        try await loop.executeInContext { surroundings.value.connections = 1 }
        try await decide(Decision(level: .whenInUse, lifetime: .once), surroundings)
        await loop.advanceTime(by: .hours(5))
        #expect(try await status(surroundings) == .authorizedWhenInUse)

        func closeLast() async throws {
            try await loop.executeInContext {
                surroundings.value.connections = 0
                surroundings.value.broker.lastConnectionClosed(of: maps)
            }
        }
        try await closeLast()
        await loop.advanceTime(by: .seconds(9))
        // Back in time, and gone again: the ten seconds begin anew.
        try await loop.executeInContext { surroundings.value.connections = 1 }
        try await closeLast()
        await loop.advanceTime(by: .seconds(9))
        #expect(try await status(surroundings) == .authorizedWhenInUse)
        await loop.advanceTime(by: .seconds(1))
        #expect(try await status(surroundings) == .notDetermined)
    }

    @Test func onceEndsAlsoWhenTheDaemonWasDownMeanwhile() async throws {
        let table = AuthorizationTable(decisions: [maps: Decision(level: .whenInUse, lifetime: .once)])
        let surroundings = try await surroundings(table)
        #expect(try await status(surroundings) == .authorizedWhenInUse)
        await loop.advanceTime(by: .seconds(10))
        #expect(try await status(surroundings) == .notDetermined)
    }

    @Test func aDecisionEndsAtItsTime() async throws {
        let surroundings = try await surroundings()
        let start = try await loop.executeInContext { surroundings.value.secondsSince1970 }
        try await decide(Decision(level: .always, lifetime: .until(secondsSince1970: start + 7200)), surroundings)
        for (hours, expected) in [(1, AuthorizationStatus.authorizedAlways), (2, .notDetermined)] {
            try await loop.executeInContext { surroundings.value.secondsSince1970 = start + Int64(hours) * 3600 }
            await loop.advanceTime(by: .seconds(3600))
            #expect(try await status(surroundings) == expected)
        }
    }
}
