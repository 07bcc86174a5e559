import EventLoopSupport
import Glibc
import Linux
import NIOCore
import TestSupport
import Testing

@testable import Varlink

struct ListeningTests {
    private func service() async -> TestService {
        let service = TestService()
        await service.start()
        return service
    }

    private func isServed(_ path: String) async throws -> Bool {
        try await RawSocket(path).isAlive()
    }

    /// Attack: another process floods the socket with connections, and the kernel refuses all other clients with
    /// EAGAIN.
    @Test func aClientTriesAgainWhereThereIsNoRoom() async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/socket"
            // One connection may wait.
            let listener = try Listener(path, backlog: 0)
            var first: RawSocket? = try RawSocket(path)
            #expect(first != nil)
            let loop = TestService().eventLoop
            let client = VarlinkClient.make(path: path, on: loop, limits: .init(), retryTime: .minutes(10))
            // The first attempt is made in a turn of the loop, and fails.
            for _ in 0..<3 { try await loop.submit {}.get() }
            first = nil
            // The waiting connection is accepted and read to its end, which makes room.
            _ = try listener.received()
            try await client.get().close()
        }
    }

    @Test(arguments: [0o600, 0o660, 0o666] as [mode_t])
    func theFileHasItsModeAndGoes(_ mode: mode_t) async throws {
        try await withTemporaryDirectory { directory in
            let service = await service(), path = "\(directory)/socket"
            try await service.listen(path: path, mode: mode)
            var status = stat()
            #expect(lstat(path, &status) == 0)
            #expect(status.st_mode == S_IFSOCK | mode)
            #expect(try await isServed(path))
            try await service.stop()
            #expect(access(path, F_OK) == -1)
        }
    }

    @Test func aStaleSocketIsReplaced() async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/socket"
            let descriptor = try ListeningSocket(path: path, mode: 0o600, backlog: 1).descriptor
            // A process that another test starts has a copy of the descriptor, and would listen, until its execve(2).
            shutdown(descriptor, CInt(SHUT_RDWR))
            close(descriptor)
            #expect(access(path, F_OK) == 0)
            let service = await service()
            try await service.listen(path: path)
            #expect(try await isServed(path))
            try await service.stop()
        }
    }

    @Test func aSocketInUseIsNotReplaced() async throws {
        try await withTemporaryDirectory { directory in
            let first = await service(), second = await service(), path = "\(directory)/socket"
            try await first.listen(path: path)
            await #expect(throws: SystemCallError("bind(\(path))", EADDRINUSE)) { try await second.listen(path: path) }
            #expect(try await isServed(path))
            try await first.stop()
        }
    }

    @Test func otherFilesAreLeftAlone() async throws {
        try await withTemporaryDirectory { directory in
            let service = await service(), path = "\(directory)/file"
            close(open(path, O_CREAT | O_WRONLY, 0o600))
            await #expect(throws: SystemCallError("bind(\(path))", EADDRINUSE)) { try await service.listen(path: path) }
            #expect(access(path, F_OK) == 0)
            let missing = "\(directory)/no/socket"
            await #expect(throws: SystemCallError("bind(\(missing))", ENOENT)) {
                try await service.listen(path: missing)
            }
            let long = "\(directory)/\(String(repeating: "x", count: 100))"
            await #expect(throws: SystemCallError("bind(\(long))", ENAMETOOLONG)) {
                try await service.listen(path: long)
            }
        }
    }

    @Test func anotherSocketInItsPlaceIsLeftAlone() async throws {
        try await withTemporaryDirectory { directory in
            let first = await service(), second = await service(), path = "\(directory)/socket"
            try await first.listen(path: path)
            unlink(path)
            try await second.listen(path: path)
            try await first.stop()
            #expect(try await isServed(path))
            try await second.stop()
        }
    }

    @Test func severalSockets() async throws {
        try await withTemporaryDirectory { directory in
            let service = await service(), paths = ["\(directory)/socket", "\(directory)/other"]
            for path in paths { try await service.listen(path: path) }
            for path in paths { #expect(try await isServed(path)) }
            try await service.stop()
            for path in paths { #expect(access(path, F_OK) == -1) }
        }
    }

    @Test func anInheritedSocketIsServed() async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/socket"
            let socket = try ListeningSocket(path: path, mode: 0o600, backlog: 16)
            let environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "public"]
            let entries = try ListenDescriptors(
                environment: environment, processID: getpid(), first: socket.descriptor
            ).entries
            #expect(entries.map(\.name) == ["public"])
            #expect(entries.map(\.descriptor) == [socket.descriptor])
            let service = await service()
            // A client that connects before the service is running.
            let early = try RawSocket(path)
            try await service.listen(descriptor: entries[0].descriptor)
            #expect(try await early.isAlive())
            try await service.stop()
            // The file belongs to the service manager and stays.
            #expect(access(path, F_OK) == 0)
        }
    }
}

struct ListenDescriptorsTests {
    private func names(_ environment: [String: String]) throws -> [String] {
        let ends = try pipe()
        defer {
            close(ends.read)
            close(ends.write)
        }
        return try ListenDescriptors(environment: environment, processID: 42, first: ends.read).entries.map(\.name)
    }

    private func pipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func notForUs() throws {
        #expect(try names([:]) == [])
        #expect(try names(["LISTEN_FDS": "1"]) == [])
        #expect(try names(["LISTEN_PID": "41", "LISTEN_FDS": "1"]) == [])
        #expect(try names(["LISTEN_PID": "42", "LISTEN_FDS": "0"]) == [])
        #expect(try names(["LISTEN_PID": "42", "LISTEN_FDS": "0", "LISTEN_FDNAMES": ""]) == [])
    }

    @Test func withoutNames() throws {
        #expect(try names(["LISTEN_PID": "42", "LISTEN_FDS": "1"]) == ["unknown"])
        #expect(try names(["LISTEN_PID": "42", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "a.socket"]) == ["a.socket"])
    }

    @Test(arguments: [
        ["LISTEN_PID": "x", "LISTEN_FDS": "1"], ["LISTEN_PID": "-42", "LISTEN_FDS": "1"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "many"], ["LISTEN_PID": "42", "LISTEN_FDS": "-1"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "2147483647"], ["LISTEN_PID": "42", "LISTEN_FDS": "1000"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "a:b"],
    ])
    func malformed(_ environment: [String: String]) {
        #expect(throws: ListenDescriptors.Malformed.self) { try names(environment) }
    }

    @Test func descriptorsAreClosedOnExec() throws {
        let ends = try pipe()
        defer {
            close(ends.read)
            close(ends.write)
        }
        let environment = ["LISTEN_PID": "42", "LISTEN_FDS": "1"]
        _ = try ListenDescriptors(environment: environment, processID: 42, first: ends.read)
        #expect(fcntl(ends.read, F_GETFD) == FD_CLOEXEC)
    }
}
