import Bus
import CLinux
import EventLoopSupport
import Glibc
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocationService

/// The question whether the machine's clock is synchronized, on a real bus, which dbus-daemon runs.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct SynchronizedClockTests {
    /// The clock and its answers, on a loop of its own.
    private final class Trial: Sendable {
        private let parts: NIOLoopBound<(clock: SynchronizedClock, poller: DescriptorPoller)>
        private let loop: any EventLoop
        private let answers = Answers()

        init(_ address: String) async throws {
            let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
            self.loop = loop
            let answers = answers
            parts = try await loop.submit {
                let poller = try DescriptorPoller(on: loop)
                let clock = SynchronizedClock(
                    Bus(address: address, poller: poller, on: loop), on: loop,
                    log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                clock.onAnswer = { answers.add($0) }
                return NIOLoopBound((clock, poller), eventLoop: loop)
            }.get()
        }

        func isSynchronized() async throws -> Bool {
            try await loop.submit { [parts] in parts.value.clock.isSynchronized }.get()
        }

        /// Asks, and returns the answer.
        func answer() async throws -> Bool? {
            _ = try await isSynchronized()
            try await eventually("an answer") { !answers.all.isEmpty }
            return answers.all[0]
        }

        func stop() async throws {
            try await loop.submit { [parts] in
                parts.value.clock.stop()
                parts.value.poller.stop()
            }.get()
        }
    }

    private final class Answers: Sendable {
        private let lines = RecordedLines()
        func add(_ answer: Bool?) { lines.add(answer.map { "\($0)" } ?? "none") }
        var all: [Bool?] { lines.all.map { Bool($0) } }
    }

    private static let timedated = "/usr/lib/systemd/systemd-timedated"

    /// timedated passes on the result of adjtimex(2).
    @Test(.enabled(if: access(timedated, X_OK) == 0, "needs systemd-timedated"))
    func timedatedsAnswer() async throws {
        let bus = try await PrivateBus()
        let service = try RunningProgram(
            Self.timedated, [], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        let trial = try await Trial(bus.address)
        try await eventually("timedated: \(service.errors)") {
            if service.hasEnded { throw Overdue(what: "timedated, which ended: \(service.errors)") }
            return try await Self.hasOwner(bus.address)
        }
        #expect(try await trial.answer() == (clock_is_synchronized() == 1))
        try await trial.stop()
        service.signal(SIGKILL)
        _ = try await service.end()
    }

    private static func hasOwner(_ address: String) async throws -> Bool {
        let names = try await Program.run(
            "/usr/bin/dbus-send",
            ["--bus=\(address)", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames"])
        return names.output.contains("org.freedesktop.timedate1")
    }

    @Test func withoutAServiceTheClockIsNotSynchronized() async throws {
        let bus = try await PrivateBus()
        let trial = try await Trial(bus.address)
        #expect(try await trial.answer() == nil)
        #expect(try await !trial.isSynchronized())
        try await trial.stop()
    }
}
