import AuthorizationPolicy
import Dispatch
import LocationModel
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PeerIdentity
import TestSupport
import Testing

@testable import LocationCore

/// Events for apps that are not connected.
@Suite struct EventDeliveryTests {
    private static let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// A delivery whose wakes wait until the test lets them end.
    private final class Surroundings {
        let folder: TemporaryFolder
        let gate: Gate
        let delivery: EventDelivery

        init(on loop: any EventLoop, wake: @escaping Waker.Action) throws {
            folder = try TemporaryFolder()
            let store = Store(path: folder.path + "/locationd.db", timestamp: "then")
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let clock = { Timestamp(millisecondsSince1970: 1_800_000_000_000) }
            let table = AuthorizationTable(decisions: [maps: Decision(level: .always, accuracy: .full)])
            gate = Gate(
                broker: AuthorizationBroker(
                    AuthorizationStateMachine(table: table, at: 1_800_000_000, nextMidnight: { $0 + 86_400 }),
                    store: store,
                    on: loop, clock: clock,
                    log: log))
            delivery = EventDelivery(
                [], writer: MonitoringWriter(store, on: loop, log: log),
                waker: Waker(on: loop, timeout: .hours(1), action: wake),
                history: AccessHistory(
                    log: AccessLog(
                        store: store, on: loop, retention: RetentionTime(reached: nil, on: loop, clock: clock), log: log
                    ), indicator: Indicator(),
                    clock: clock),
                wakeLine: { _ in "{}" }, log: log)
        }

        func deliver() throws {
            let visit = Visit(
                latitude: 1, longitude: 2, horizontalAccuracy: 3,
                arrival: Timestamp(millisecondsSince1970: 1_800_000_000_000))
            let released = try #require(
                try gate.release(visit, madeFor: maps, needing: .visits, presence: .background))
            delivery.deliver(released, on: [], wake: "/run/app")
        }

        var keeps: Bool { delivery.keeps(maps, .visit, subject: "") }
    }

    /// An app that is started connects before the daemon knows that the line has arrived.
    @Test(arguments: [false, true]) func anEventThatIsUnderWayIsNotDeliveredTwice(fails: Bool) async throws {
        let isWoken = NIOLockedValueBox(false)
        let mayEnd = DispatchSemaphore(value: 0)
        let surroundings = try await loop.submit {
            NIOLoopBound(
                try Surroundings(on: loop) { _, _, _ throws(WakeRefusal) in
                    isWoken.withLockedValue { $0 = true }
                    mayEnd.wait()
                    if fails { throw WakeRefusal(description: "nobody listens") }
                }, eventLoop: loop)
        }.get()
        try await loop.submit { try surroundings.value.deliver() }.get()
        try await eventually("the wake") { isWoken.withLockedValue { $0 } }
        #expect(try await loop.submit { surroundings.value.keeps }.get() == false)
        mayEnd.signal()
        // If it has not arrived, it is kept for the next time.
        try await eventually("the end of the wake") {
            try await loop.submit { surroundings.value.keeps }.get() == fails
        }
    }
}
