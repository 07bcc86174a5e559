import Foundation
import Logging
import TestSupport
import Testing

@testable import LocationCore
@testable import TimeTransfer

@Suite struct ChronySocketTests {
    private let lines = RecordedLines()
    private var log: Logger { Logger(label: "test") { [lines] _ in RecordingLog(lines) } }
    private let sample = TimeSample(wallClock: 1_795_435_201_123_456_789, trueTime: 1_795_435_200_873_456_789)

    @Test func aSampleIsAMessageThatChronydReads() throws {
        let folder = try TemporaryFolder()
        let listener = try DatagramListener(folder.path + "/chrony.sock")
        ChronySocket(path: listener.path, log: log).send(sample)
        let message = try #require(listener.received().first.flatMap(SockSample.init))
        #expect(message.seconds == 1_795_435_201)
        #expect(message.microseconds == 123_456)
        #expect(message.offset == -0.25)
        #expect(message.pulse == 0 && message.leap == 0)
        #expect(message.magic == 0x534f_434b)
    }

    /// chronyd may be started later, stopped and started again, in any order: one line for each change.
    @Test func samplesPauseWhileChronydDoesNotListen() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/chrony.sock"
        let socket = ChronySocket(path: path, log: log)
        for _ in 0..<100 { socket.send(sample) }
        #expect(lines.all.count == 1)
        #expect(lines.all[0].contains("chronyd does not listen at \(path)"))

        var listener: DatagramListener? = try DatagramListener(path)
        for _ in 0..<3 { socket.send(sample) }
        #expect(listener?.received().count == 3)
        #expect(lines.all.count == 2)
        #expect(lines.all[1] == "notice: time samples are sent to \(path)")

        listener = nil
        for _ in 0..<100 { socket.send(sample) }
        // A stopped chronyd leaves its socket behind: another error, and no other line.
        var stale: DatagramListener? = try DatagramListener(path)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".kept")
        stale = nil
        _ = stale
        try FileManager.default.moveItem(atPath: path + ".kept", toPath: path)
        for _ in 0..<100 { socket.send(sample) }
        #expect(lines.all.count == 3)

        try FileManager.default.removeItem(atPath: path)
        listener = try DatagramListener(path)
        socket.send(sample)
        #expect(listener?.received().count == 1)
        #expect(lines.all.count == 4)
    }

    /// chronyd may be stopped in a debugger: its queue fills up, and nothing waits for it.
    @Test func aReaderThatDoesNotReadBlocksNothing() throws {
        let folder = try TemporaryFolder()
        let listener = try DatagramListener(folder.path + "/chrony.sock")
        let socket = ChronySocket(path: listener.path, log: log)
        for _ in 0..<20_000 { socket.send(sample) }
        #expect(lines.all.count == 2)
        #expect(lines.all.last?.contains("chronyd does not read from") == true)
        #expect(!listener.received().isEmpty)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write to every socket")) func aSocketOfAnotherUserIsExplained() throws
    {
        let folder = try TemporaryFolder()
        let listener = try DatagramListener(folder.path + "/chrony.sock")
        chmod(listener.path, 0o555)
        ChronySocket(path: listener.path, log: log).send(sample)
        #expect(lines.all.first?.contains("is closed to this daemon's user") == true)
    }

    @Test(arguments: ["/etc/passwd", "/" + String(repeating: "x", count: 200), "/dev/null/x"])
    func aPathThatIsNoSocketIsExplained(path: String) {
        let socket = ChronySocket(path: path, log: log)
        for _ in 0..<3 { socket.send(sample) }
        #expect(lines.all.count == 1)
    }
}
