import GRDB
import Logging
import NIOCore
import NIOPosix
import Receivers
import TestSupport
import Testing

@testable import LocationCore

/// The serial settings of devices, kept over restarts.
@Suite struct StoredSerialSettingsTests {
    private let folder: TemporaryFolder
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private var path: String { folder.path + "/locationd.db" }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func lines(_ store: Store) -> StoredSerialSettings {
        StoredSerialSettings(store, on: loop, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func theSettingsOfADeviceComeBack() async throws {
        let store = Store(path: path, timestamp: "then")
        let memory = lines(store)
        #expect(memory.settings(ofDevice: "a") == nil)
        memory.remember(SerialSettings(4800), ofDevice: "a")
        memory.remember(SerialSettings(921_600, .sevenN2), ofDevice: "b")
        memory.remember(SerialSettings(38_400, .eightE1), ofDevice: "a")
        #expect(memory.settings(ofDevice: "a") == SerialSettings(38_400, .eightE1))
        // Writes are carried out in order, so the ones above are complete after this one.
        try await store.write(SerialSettings(9600), ofDevice: "c", on: loop).get()
        let again = lines(Store(path: path, timestamp: "now"))
        #expect(again.settings(ofDevice: "a") == SerialSettings(38_400, .eightE1))
        #expect(again.settings(ofDevice: "b") == SerialSettings(921_600, .sevenN2))
        #expect(again.settings(ofDevice: "c") == SerialSettings(9600))
        #expect(again.settings(ofDevice: "d") == nil)
    }

    @Test func rowsThatAreNotUnderstoodAreLeftOut() async throws {
        let store = Store(path: path, timestamp: "then")
        try await store.write(on: loop) { database in
            try database.execute(
                sql: """
                    INSERT INTO serialSettings VALUES ('a', 9601, '8N1'), ('b', 9600, '5O3'), ('c', 9600, '8N1');
                    """)
        }.get()
        #expect(store.loadSerialSettings() == ["c": SerialSettings(9600)])
    }

    @Test func withoutADatabaseItRemembersWhileItRuns() {
        let store = Store(path: "/nonexistent/locationd.db", timestamp: "then")
        let memory = lines(store)
        #expect(memory.settings(ofDevice: "a") == nil)
        memory.remember(SerialSettings(4800), ofDevice: "a")
        #expect(memory.settings(ofDevice: "a") == SerialSettings(4800))
    }
}
