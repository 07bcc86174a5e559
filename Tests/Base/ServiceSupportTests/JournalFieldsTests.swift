import Glibc
import Logging
import Testing

@testable import ServiceSupport

/// The journal's fields for a line of the log.
@Suite struct JournalFieldsTests {
    private func fields(_ message: String, _ metadata: Logger.Metadata = [:], level: Logger.Level = .info) -> [String] {
        JournalFields(identifier: "locationd", level: level, message: message, metadata: metadata).assignments.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func metadataAreFields() {
        #expect(
            fields("fixes come", ["RECEIVER": "u-blox", "UID": "1000"]) == [
                "PRIORITY=6", "SYSLOG_IDENTIFIER=locationd", "RECEIVER=u-blox", "UID=1000", "MESSAGE=fixes come",
            ])
    }

    @Test(
        arguments: [
            (.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3), (.critical, 2),
        ] as [(Logger.Level, Int)])
    func theLevel(_ level: Logger.Level, _ priority: Int) {
        #expect(fields("x", level: level).first == "PRIORITY=\(priority)")
    }

    /// A key that cannot be the name of a field, or has a meaning of its own in the journal, becomes part of the
    /// text.
    @Test(arguments: ["receiver", "_PID", "9LIVES", "", "A B", "MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "Ä"])
    func whatIsNoField(_ key: String) {
        #expect(
            fields("text", [Logger.Metadata.Key(key): "1"])
                == ["PRIORITY=6", "SYSLOG_IDENTIFIER=locationd", "MESSAGE=text \(key)=1"])
    }

    /// Attack: an app's name contains a line break. In the journal's native protocol a value has a length, so a line
    /// break does not start another field.
    @Test func linesOfAValueStayInIt() {
        #expect(fields("text", ["APP": "exe:/a\nPRIORITY=0"]).count == 4)
    }

    @Test func standardErrorIsNotTheJournalBecauseAVariableSaysSo() {
        for stream in [nil, "", "1", "0:0", "a:b"] {
            #expect(!JournalLogHandler.isStandardErrorTheJournal(stream))
        }
        var status = stat()
        fstat(STDERR_FILENO, &status)
        #expect(JournalLogHandler.isStandardErrorTheJournal("\(status.st_dev):\(status.st_ino)"))
    }
}
