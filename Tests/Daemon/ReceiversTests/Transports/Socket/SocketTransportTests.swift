import Devices
import Foundation
import LocationModel
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Receivers

/// The connection to a program that passes on a receiver's sentences, which the test plays.
struct SocketTransportTests {
    private func epoch(_ second: Int) -> String {
        SentenceFixture.sentence("GPRMC,09260\(second).00,A,5230.0000,N,01324.0000,E,0.0,,140326,,,A")
    }

    /// A program that listens at a socket, and its output.
    private final class Server {
        let path: String
        private let folder: TemporaryFolder
        private let listener: Listener

        init(backlog: CInt? = 16) throws {
            folder = try TemporaryFolder()
            path = folder.path + "/gnss.sock"
            listener = try Listener(path, backlog: backlog)
        }

        var isAsked: Bool { listener.hasPendingConnection }

        func accept() async throws -> FileHandle {
            try await eventually("a connection") { listener.hasPendingConnection }
            let descriptor = Glibc.accept(listener.descriptor, nil, nil)
            guard descriptor >= 0 else { throw POSIXError.last }
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
    }

    @Test func itGivesFixesOfAnAccessoryAndConnectsOnlyWhileItIsStarted() async throws {
        let server = try Server()
        let probe = try await ReceiverProbe(.socket(path: server.path))
        try await withReceiver(probe) { probe in
            let connection = try await server.accept()
            try connection.write(contentsOf: Data((epoch(1) + epoch(2)).utf8))
            let fix = try await probe.waitForFix()
            #expect(fix.location.accessory == true)
            #expect(fix.location.receiver == "gnss.sock")
            #expect(fix.location.latitude == 52.5)
            try await probe.stop()
            #expect(try connection.readToEnd()?.isEmpty ?? true)
            #expect(try await probe.with { $0.state } == .stopped)
            #expect(!server.isAsked)
        }
    }

    @Test func aProgramThatEndsIsLostAndReadAgainWhenItIsBack() async throws {
        let server = try Server()
        try await withReceiver(.socket(path: server.path)) { probe in
            var connection: FileHandle? = try await server.accept()
            try connection?.write(contentsOf: Data((epoch(1) + epoch(2)).utf8))
            _ = try await probe.waitForFix()
            connection = nil
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .disconnected)
            #expect(failure.message.contains(server.path))
            probe.forget()
            connection = try await server.accept()
            try connection?.write(contentsOf: Data((epoch(3) + epoch(4)).utf8))
            _ = try await probe.waitForFix()
            #expect(probe.events.contains(.found))
        }
    }

    @Test func bytesInPiecesAndAFloodAreReadInOrder() async throws {
        let server = try Server()
        try await withReceiver(.socket(path: server.path)) { probe in
            let connection = try await server.accept()
            for byte in (epoch(1) + epoch(2)).utf8 { try connection.write(contentsOf: Data([byte])) }
            _ = try await probe.waitForFix()
            let noise = String(repeating: SentenceFixture.sentence("GPTXT,01,01,02,noise"), count: 10_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                let bytes = Data((noise + epoch(3) + epoch(4)).utf8)
                let handle = NIOLockedValueBox(connection.fileDescriptor)
                group.addTask {
                    try FileHandle(fileDescriptor: handle.withLockedValue { $0 }).write(contentsOf: bytes)
                }
                try await group.waitForAll()
            }
            try await probe.wait(for: "the fix after the flood") { events in
                events.contains { $0.fix?.location.timestamp.description == "2026-03-14T09:26:03.000Z" } ? () : nil
            }
        }
    }

    @Test(arguments: [
        ("missing", ReceiverFailure.Reason.missing, "is not there"),
        ("file", .unusable, "is not a socket"),
        ("deaf", .unreachable, "no program listens"),
        ("datagram", .unusable, "is not a stream socket"),
        ("full", .busy, "too many connections wait"),
    ])
    func aSocketThatCannotBeReadIsLostWithTheReason(
        kind: String, reason: ReceiverFailure.Reason, text: String
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/" + kind
        var sockets: [Listener] = []
        var waiting: [CInt] = []
        switch kind {
        case "file": _ = try folder.write("", to: kind)
        case "deaf": sockets.append(try Listener(path, backlog: nil))
        case "datagram": sockets.append(try Listener(path, type: SOCK_DGRAM, backlog: nil))
        case "full":
            sockets.append(try Listener(path, backlog: 0))
            while case .success(let descriptor) = ReceiverSocket.connect(to: path, owner: nil) {
                waiting.append(descriptor)
            }
        default: break
        }
        try await withReceiver(.socket(path: path)) { probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == reason)
            #expect(failure.message.contains(text), "\(failure.message)")
        }
        waiting.forEach { close($0) }
        withExtendedLifetime(sockets) {}
    }

    /// Attack: a user of the machine puts a socket where the receiver's is expected, and moves the machine.
    @Test(.enabled(if: geteuid() == 0, "needs root: gives a file away"))
    func aSocketOfAnotherUserIsReadForItsOwnerOnly() throws {
        let server = try Server()
        #expect(chown(server.path, 65534, 65534) == 0)
        guard case .failure(let failure) = ReceiverSocket.connect(to: server.path, owner: nil) else {
            Issue.record("it was connected to")
            return
        }
        #expect(failure.reason == .notPermitted)
        #expect(failure.message.contains("set owner = 65534"))
        #expect(!server.isAsked)
        guard case .success(let descriptor) = ReceiverSocket.connect(to: server.path, owner: 65534) else {
            Issue.record("it was not connected to")
            return
        }
        close(descriptor)
    }

    /// Attack: the file is root's by now, but another user listens.
    @Test(.enabled(if: geteuid() == 0, "needs root: changes users"))
    func aListenerThatIsAnotherUserIsRefused() async throws {
        let folder = try TemporaryFolder()
        #expect(chmod(folder.path, 0o777) == 0)
        let path = folder.path + "/gnss.sock"
        let program = try RunningProgram(
            "/usr/bin/setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c",
                """
                import socket, sys, time
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(sys.argv[1])
                listener.listen()
                time.sleep(3600)
                """, path,
            ])
        try await eventually("the listener") {
            if case .success(let descriptor) = ReceiverSocket.connect(to: path, owner: 65534) {
                close(descriptor)
                return true
            }
            return false
        }
        #expect(chown(path, 0, 0) == 0)
        guard case .failure(let failure) = ReceiverSocket.connect(to: path, owner: nil) else {
            Issue.record("it was connected to")
            return
        }
        #expect(failure.message.contains("user 65534 listens"))
        withExtendedLifetime(program) {}
    }

    /// Attack: the path leads into a file system that never answers. The event loop goes on, and there is one thread
    /// and one attempt, however often the receiver is started.
    @Test func anAttemptThatNeverReturnsHoldsNothingUp() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let attempts = NIOLockedValueBox(0)
        let gate = NIOLockedValueBox(false)
        let fake = try await loop.submit { () -> NIOLoopBound<(SocketTransport, SentenceReceiver)> in
            let transport = SocketTransport(path: "/fuse/gnss", on: loop) {
                attempts.withLockedValue { $0 += 1 }
                while !gate.withLockedValue({ $0 }) { usleep(1000) }
                return .failure(ReceiverFailure(.missing, "late"))
            }
            let receiver = SentenceReceiver(
                over: transport, receiver: "gnss", on: loop, clock: ReceiverProbe.now)
            return NIOLoopBound((transport, receiver), eventLoop: loop)
        }.get()
        for _ in 0..<5 {
            try await loop.submit {
                fake.value.0.open(for: fake.value.1)
                fake.value.0.close(toStandby: false)
            }.get()
        }
        try await eventually("the attempt") { attempts.withLockedValue { $0 } == 1 }
        gate.withLockedValue { $0 = true }
        try await loop.submit { fake.value.0.open(for: fake.value.1) }.get()
        try await eventually("another attempt") { attempts.withLockedValue { $0 } >= 1 }
        try await loop.submit { fake.value.0.close(toStandby: false) }.get()
        try await group.shutdownGracefully()
    }

    /// Attack: the program was taken over, and sends descriptors. Whoever receives one might wait for its end.
    @Test func aProgramThatSendsADescriptorIsDisconnected() async throws {
        let server = try Server()
        try await withReceiver(.socket(path: server.path)) { probe in
            let connection = try await server.accept()
            // Where the kernel lets the receiver refuse descriptors, nothing arrives, and the test ends the connection.
            if try LingeringSocket().handOver(on: connection.fileDescriptor) != 0 {
                shutdown(connection.fileDescriptor, CInt(SHUT_RDWR))
            }
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .disconnected)
        }
    }
}
