import Dispatch
import Foundation
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import PeerIdentity
import TestSupport
import Testing

@testable import LocationCore

/// The waking of apps. A path that hangs delays nobody but its own user.
@Suite struct WakerTests {
    /// A loop whose time stands still unless it is advanced, so that no attempt times out on a slow machine.
    private let loop = NIOAsyncTestingEventLoop()
    private let temporary: TemporaryFolder
    private let folder: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = URL(filePath: temporary.path).resolvingSymlinksInPath().path(percentEncoded: false)
    }

    private func make(_ action: Waker.Action? = nil) async throws -> NIOLoopBound<Waker> {
        try await loop.submit {
            NIOLoopBound(action.map { Waker(on: loop, action: $0) } ?? Waker(on: loop), eventLoop: loop)
        }.get()
    }

    private func stop(_ waker: NIOLoopBound<Waker>) async throws {
        try await loop.submit { waker.value.stop() }.get()
    }

    /// The blocking part of a waker, as the test controls it.
    private final class Attempts: Sendable {
        /// A semaphore that each attempt of user 1 waits for.
        let release = DispatchSemaphore(value: 0)
        private let made = NIOLockedValueBox<[String]>([])
        private let running = NIOLockedValueBox<[UInt32: Int]>([:])
        private let most = NIOLockedValueBox(0)

        /// The paths of the attempts, in the order in which they began.
        var paths: [String] { made.withLockedValue { $0 } }
        /// The greatest number of simultaneous attempts of one user.
        var mostAtOnce: Int { most.withLockedValue { $0 } }

        func action(_ path: String, _ uid: UInt32, _ line: [UInt8]?) throws(WakeRefusal) {
            made.withLockedValue { $0.append(path) }
            let count = running.withLockedValue { running in
                running[uid, default: 0] += 1
                return running[uid]!
            }
            most.withLockedValue { $0 = max($0, count) }
            if uid == 1 { release.wait() }
            running.withLockedValue { $0[uid]! -= 1 }
            if path.hasSuffix("refused") { throw WakeRefusal(description: "as told") }
        }
    }

    private func wake(_ waker: NIOLoopBound<Waker>, _ path: String, of uid: UInt32) -> EventLoopFuture<Void> {
        loop.flatSubmit { waker.value.wake(path, of: uid, line: [0x7b]) }
    }

    @Test func theLineArrives() async throws {
        let listener = try Listener(folder + "/app")
        let waker = try await make()
        // Threads cost memory, and on most machines there is no app to wake.
        #expect(try await loop.submit { !waker.value.hasThreads }.get())
        try await loop.flatSubmit { waker.value.check(folder + "/app", of: geteuid()) }.get()
        #expect(!listener.hasPendingConnection)
        try await loop.flatSubmit { waker.value.wake(folder + "/app", of: geteuid(), line: Array("{}".utf8)) }.get()
        #expect(try listener.received() == "{}\n")
        await #expect(throws: WakeRefusal.self) {
            try await loop.flatSubmit { waker.value.check(folder + "/none", of: geteuid()) }.get()
        }
        try await stop(waker)
    }

    @Test func aLineIsShortAndOne() async throws {
        let attempts = Attempts()
        let waker = try await make(attempts.action)
        for line in [[UInt8](repeating: 0x78, count: 8193), Array("{}\n{\"method\":\"forged\"}".utf8)] {
            await #expect(throws: WakeRefusal.self) {
                try await loop.flatSubmit { waker.value.wake("/app", of: 2, line: line) }.get()
            }
        }
        #expect(attempts.paths.isEmpty)
        try await loop.flatSubmit {
            waker.value.wake("/app", of: 2, line: [UInt8](repeating: 0x78, count: 8192))
        }.get()
        #expect(attempts.paths == ["/app"])
        try await stop(waker)
    }

    @Test func aHangingPathDelaysItsOwnUserOnly() async throws {
        let attempts = Attempts()
        let waker = try await make(attempts.action)
        let hanging = (0..<10).map { wake(waker, "/hangs/\($0)", of: 1) }
        // There are more attempts than threads, and all of them finish while user 1's first attempt hangs.
        for uid in UInt32(2)...20 { try await wake(waker, "/works", of: uid).get() }
        await #expect(throws: WakeRefusal(description: "as told")) { try await wake(waker, "/refused", of: 2).get() }
        // The first thread may have been held up before it got there.
        try await eventually("user 1's first attempt") { attempts.paths.contains("/hangs/0") }
        #expect(attempts.paths.count { $0.hasPrefix("/hangs") } == 1)

        for _ in hanging { attempts.release.signal() }
        for future in hanging { try await future.get() }
        #expect(attempts.paths.filter { $0.hasPrefix("/hangs") } == (0..<10).map { "/hangs/\($0)" })
        #expect(attempts.mostAtOnce == 1)
        try await stop(waker)
    }

    @Test func howManyMayWait() async throws {
        let attempts = Attempts()
        let waker = try await make(attempts.action)
        let accepted = (0...Waker.maximumWaiting).map { wake(waker, "/hangs/\($0)", of: 1) }
        let refusal = await #expect(throws: WakeRefusal.self) { try await wake(waker, "/hangs/more", of: 1).get() }
        #expect(refusal?.description.contains("64 wakes of user 1 wait") == true)
        for _ in accepted { attempts.release.signal() }
        for future in accepted { try await future.get() }
        // There is room again.
        attempts.release.signal()
        try await wake(waker, "/hangs/again", of: 1).get()
        #expect(!attempts.paths.contains("/hangs/more"))
        try await stop(waker)
    }

    @Test func attemptsTimeOut() async throws {
        let attempts = Attempts()
        let waker = try await make(attempts.action)
        let (running, waiting) = (wake(waker, "/hangs", of: 1), wake(waker, "/waits", of: 1))
        await loop.advanceTime(by: .seconds(9))
        let late = wake(waker, "/late", of: 1)
        await loop.advanceTime(by: .seconds(1))
        for (future, mayHaveArrived) in [(running, true), (waiting, false)] {
            let refusal = await #expect(throws: WakeRefusal.self) { try await future.get() }
            #expect(refusal?.description.contains("does not answer") == true)
            // The line of the running attempt may still arrive.
            #expect(refusal?.mayHaveArrived == mayHaveArrived)
        }
        // The attempt that timed out while waiting is dropped. The one after it is made as soon as the first has
        // finished.
        attempts.release.signal()
        attempts.release.signal()
        try await late.get()
        #expect(attempts.paths == ["/hangs", "/late"])
        try await stop(waker)
    }

    @Test func whatIsNotDoneFailsAtTheEnd() async throws {
        let attempts = Attempts()
        let waker = try await make(attempts.action)
        let open = ["/hangs", "/waits"].map { wake(waker, $0, of: 1) }
        try await stop(waker)
        for (future, mayHaveArrived) in zip(open + [wake(waker, "/late", of: 2)], [true, false, false]) {
            let refusal = await #expect(throws: WakeRefusal.self) { try await future.get() }
            #expect(refusal?.mayHaveArrived == mayHaveArrived)
            #expect(refusal?.description.contains("the location service is stopping") == true)
        }
        attempts.release.signal()
    }

    /// Wakes a program as a .socket unit of the systemd user manager does: it listens, and the first connection
    /// starts the app.
    @Test func aWakeStartsAProgram() async throws {
        let path = folder + "/app"
        let program = try RunningProgram(
            "/usr/bin/systemd-socket-activate",
            ["--listen", path, "--accept", "--inetd", "/bin/sh", "-c", "read line; echo \"got $line\" >&2"],
            environment: ["SYSTEMD_LOG_TARGET": "console", "SYSTEMD_LOG_LEVEL": "info"])
        try await eventually("the socket") { program.errors.contains("Listening on") }

        let waker = try await make()
        try await loop.flatSubmit { waker.value.check(path, of: geteuid()) }.get()
        for number in 1...2 {
            let line = "{\"method\":\"io.locationd.Location.MonitorVisits\",\"parameters\":{\"number\":\(number)}}"
            try await loop.flatSubmit { waker.value.wake(path, of: geteuid(), line: Array(line.utf8)) }.get()
            try await eventually("the program to be started") { program.errors.contains("got \(line)\n") }
        }
        try await stop(waker)
    }
}
