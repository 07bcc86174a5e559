import Logging
import NIOCore
import NIOPosix
import Receivers
import TestSupport
import Testing

@testable import LocationCore

/// The modems whose receivers are on, kept over a crash.
@Suite struct StoredModemsTests {
    private let folder: TemporaryFolder
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private var path: String { folder.path + "/locationd.db" }

    init() throws { folder = try TemporaryFolder() }

    private func modems(_ store: Store) -> StoredModems {
        StoredModems(store, on: loop, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func aModemIsThereUntilItIsForgotten() async throws {
        let store = Store(path: path, timestamp: "then")
        let memory = modems(store)
        #expect(memory.modems.isEmpty)
        let (first, second) = (
            SwitchedModem(bus: "b", service: ":1.7", path: "/0"), SwitchedModem(bus: "b", service: ":1.7", path: "/1")
        )
        for modem in [first, second, first] { try await memory.remember(modem).get() }
        #expect(modems(Store(path: path, timestamp: "now")).modems == [first, second])
        memory.forget(first)
        // Writes are carried out in order.
        try await memory.remember(second).get()
        #expect(modems(Store(path: path, timestamp: "now")).modems == [second])
    }

    @Test func withoutADatabaseThereAreNone() async {
        let memory = modems(Store(path: "/nonexistent/locationd.db", timestamp: "then"))
        #expect(memory.modems.isEmpty)
        await #expect(throws: Store.Failure.self) {
            try await memory.remember(SwitchedModem(bus: "b", service: ":1.7", path: "/0")).get()
        }
    }
}
