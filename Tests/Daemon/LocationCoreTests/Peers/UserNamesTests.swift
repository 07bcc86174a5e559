import Dispatch
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import LocationCore

struct UserNamesTests {
    /// A loop whose time stands still.
    private let loop = NIOAsyncTestingEventLoop()

    private func names(_ lookUp: @escaping @Sendable (UInt32) -> String?) async throws -> NIOLoopBound<UserNames> {
        let loop = loop
        return try await loop.submit { NIOLoopBound(UserNames(on: loop, lookUp: lookUp), eventLoop: loop) }.get()
    }

    private func find(_ uid: UInt32, in names: NIOLoopBound<UserNames>) async throws -> String? {
        try await loop.submit {
            names.value.find(uid)
            return names.value[uid]
        }.get()
    }

    /// Attack: the server for user names does not answer. Nobody waits for it.
    @Test func aHangingLookupDelaysNobody() async throws {
        let (release, looks) = (DispatchSemaphore(value: 0), NIOLockedValueBox(0))
        let names = try await names { uid in
            looks.withLockedValue { $0 += 1 }
            release.wait()
            return "user\(uid)"
        }
        for _ in 0..<100 { #expect(try await find(1, in: names) == nil) }
        release.signal()
        try await eventually("the name") { try await find(1, in: names) == "user1" }
        #expect(looks.withLockedValue(\.self) == 1)
        try await loop.submit { names.value.stop() }.get()
    }

    @Test func whoHasNoNameIsLookedForOnce() async throws {
        let looks = NIOLockedValueBox(0)
        let names = try await names { _ in
            looks.withLockedValue { $0 += 1 }
            return nil
        }
        #expect(try await find(1, in: names) == nil)
        try await eventually("the look to be over") {
            try await loop.submit { names.value.find(2) }.get()
            return looks.withLockedValue(\.self) == 2
        }
        #expect(try await find(1, in: names) == nil)
        #expect(looks.withLockedValue(\.self) == 2)
        try await loop.submit { names.value.stop() }.get()
    }

    @Test func theMachinesNames() {
        #expect(loginName(of: 0) == "root")
        #expect(loginName(of: 4_000_000_000) == nil)
    }
}
