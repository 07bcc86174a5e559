import EventLoopSupport
import Foundation
import GRDB
import LocationModel
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocationCore

/// A short run of the service on a machine that was off for a year, or whose clock is a year ahead.
@Suite struct CoreRetentionTests {
    /// The synchronization of the machine's clock, which is known only after it was asked about.
    private final class Synchronization: ClockSynchronization {
        private let answer: Bool
        private var isAsked = false

        init(answer: Bool) { self.answer = answer }

        var isSynchronized: Bool {
            defer { isAsked = true }
            return isAsked && answer
        }
    }

    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let folder: TemporaryFolder
    private let state: String
    private let store: Store
    /// The time that was reached when the service ran last.
    private static let then = Timestamp(millisecondsSince1970: 1_800_000_000_000)
    private static let yearLater = then.adding(milliseconds: 365 * 86_400_000)

    init() throws {
        folder = try TemporaryFolder()
        state = folder.path + "/state"
        store = try Store(inNewFolder: state)
    }

    /// Starts the service a year later, and stops it.
    private func run(isSynchronized: Bool) async throws {
        let settings = ServiceSettings(
            runtimeDirectory: folder.path, stateDirectory: state, receivers: [], limits: Limits(), version: "1")
        let service = try await loop.submit { [loop] in
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let core = try Core(
                settings, poller: try DescriptorPoller(on: loop), on: loop, log: log, clock: { Self.yearLater }
            ) {
                $0.json
            }
            let synchronization = Synchronization(answer: isSynchronized)
            core.synchronization = synchronization
            core.start(settings)
            return NIOLoopBound((core: core, synchronization: synchronization), eventLoop: loop)
        }.get()
        try await loop.flatSubmit { service.value.core.stop() }.get()
    }

    @Test(arguments: [(true, 0), (false, 1)])
    func aYearIsBelievedIfTheClockIsSynchronized(isSynchronized: Bool, rows: Int) async throws {
        let app = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
        let row = AccessLogRow(
            key: .init(app: app, hour: Self.then, accuracy: .full, inBackground: false),
            tally: .init(deliveries: 60, lastDelivery: Self.then))
        try await store.add([row], forgettingBefore: Self.then, reached: Self.then, on: loop).get()
        try await run(isSynchronized: isSynchronized)
        let count = try Store.behindItsBack(state + "/locationd.db") {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM accessLog")
        }
        #expect(count == rows)
        #expect((store.loadReached() == Self.yearLater) == isSynchronized)
    }
}
