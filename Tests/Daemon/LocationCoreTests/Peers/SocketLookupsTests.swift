import AuthorizationPolicy
import CLinux
import Foundation
import Glibc
import Linux
import LocationModel
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOPosix
import PeerIdentity
import TestSupport
import Testing

@testable import LocationCore

/// The look-ups of the processes that hold sockets: how many searches they cost, and when they are made again.
@Suite struct SocketLookupsTests {
    private static let viewer = AppIdentity("exe:/usr/bin/viewer")!

    /// Answers searches, and keeps which sockets they were for.
    private final class Searches: PeerIdentifying {
        typealias Answer = @Sendable (_ search: Int, [SocketOrigin]) throws(IdentityRefusal) -> [SocketHolders.Outcome]

        private let searched = NIOLockedValueBox<[[SocketOrigin]]>([])
        private let examined = NIOLockedValueBox(0)
        private let answer: Answer
        /// Holds up the searches until it is opened.
        private let gate: DispatchSemaphore?

        init(gate: DispatchSemaphore? = nil, _ answer: @escaping Answer) {
            self.gate = gate
            self.answer = answer
        }

        /// The numbers of the sockets of each search.
        var all: [[UInt32]] { searched.withLockedValue { $0.map { $0.map(\.inode) } } }
        /// The number of processes that were examined.
        var examinations: Int { examined.withLockedValue { $0 } }

        func holders(of sockets: [SocketOrigin], uid: uid_t) throws(IdentityRefusal) -> [SocketHolders.Outcome] {
            gate?.wait()
            gate?.signal()
            let number = searched.withLockedValue { searches in
                searches.append(sockets)
                return searches.count
            }
            return try answer(number, sockets)
        }

        func identity(of process: ProcessDescriptor, uid: uid_t) throws(IdentityRefusal) -> AppIdentity { viewer }
        func loginOwner(of process: ProcessDescriptor) throws(Login.Failure) -> Login.Owner? { nil }
        func executable(of process: ProcessDescriptor) -> String? {
            examined.withLockedValue { $0 += 1 }
            return nil
        }
        func startTime(of process: ProcessDescriptor) -> UInt64? { nil }
        func isConfined(_ process: ProcessDescriptor) -> Bool { false }
        func wake(_ path: String, of uid: uid_t, line: [UInt8]?) throws(WakeRefusal) {}
    }

    private typealias Facts = Result<PeerFacts, IdentityRefusal>

    /// The look-ups under test, on their loop.
    private final class Fixture {
        let lookups: PeerLookups
        var requests: [BlockingWork.Request<Facts>] = []

        init(_ searches: Searches, on loop: any EventLoop) { lookups = PeerLookups(searches, on: loop) }
    }

    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let pair: TCPPair
    private let owner: TCPSocketOwner
    private let found: SocketHolders.Outcome

    init() throws {
        pair = try TCPPair()
        owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        let process = ProcessDescriptor(owning: process_open(getpid()))
        found = .found(SocketHolders(app: Self.viewer, processes: [process]))
    }

    /// Looks up sockets of connected clients, and waits for the results of those that `withdraw` leaves.
    private func results(
        _ searches: Searches, _ owners: [TCPSocketOwner],
        then body: @escaping @Sendable (PeerLookups, [() -> Void]) -> Void = { _, _ in }
    ) async throws -> [Facts] {
        let futures = try await loop.submit { [loop] in
            let lookups = PeerLookups(searches, on: loop)
            let requests = owners.map { lookups.facts(of: $0, wantsLogin: false) }
            body(lookups, requests.map(\.withdraw))
            let all = EventLoopFuture.whenAllSucceed(requests.map(\.result), on: loop)
            all.assumeIsolated().whenComplete { _ in lookups.stop() }
            return all
        }.get()
        return try await futures.get()
    }

    /// A thousand connections of one process are not a thousand searches through a thousand descriptors.
    @Test func socketsThatWaitAreSearchedTogether() async throws {
        let gate = DispatchSemaphore(value: 0)
        let searches = Searches(gate: gate) { [found] _, sockets in sockets.map { _ in found } }
        let owners = [TCPSocketOwner](repeating: owner, count: 1000)
        let results = try await results(searches, owners) { _, _ in gate.signal() }
        #expect(results.allSatisfy { (try? $0.get().identity) == Self.viewer })
        #expect(searches.all.map(\.count) == [1, 256, 256, 256, 231])
        #expect(searches.examinations == 5, "a process once in each search")
    }

    /// Attack: 10,000 connections are made and closed at once.
    @Test func connectionsThatAreGoneCostNoSearch() async throws {
        let searches = Searches { [found] _, sockets in sockets.map { _ in found } }
        pair.closeApp()
        let results = try await results(searches, [TCPSocketOwner](repeating: owner, count: 100))
        #expect(results.allSatisfy { $0.refusal == .socketElsewhere })
        #expect(searches.all.isEmpty)
    }

    /// Attack: the socket is closed during the search, and its number is that of another socket now.
    @Test func aConnectionThatIsGoneAfterwards() async throws {
        let other = try TCPPair()
        let kept = try TCPSocketOwner(ofPeerOf: other.accepted)
        let pair = NIOLoopBoundPair(pair)
        let searches = Searches { [found] _, sockets in
            pair.closeApp()
            return sockets.map { _ in found }
        }
        let results = try await results(searches, [owner])
        #expect(results.map(\.refusal) == [.socketElsewhere])
        #expect(try await self.results(searches, [kept]).map(\.refusal) == [nil])
    }

    /// A program that starts another one (system(3)) has a copy for a moment that holds its sockets.
    @Test func aSocketThatIsSharedForAMoment() async throws {
        let searches = Searches { [found] number, sockets in
            sockets.map { _ in number <= 2 ? .refused(.socketShared) : found }
        }
        #expect(try await results(searches, [owner]).map(\.refusal) == [nil])
        #expect(searches.all.count == 3)
    }

    /// Attack: an app shares its socket with another one for as long as anybody looks.
    @Test func aSocketThatStaysShared() async throws {
        let searches = Searches { _, sockets in sockets.map { _ in .refused(.socketShared) } }
        #expect(try await results(searches, [owner]).map(\.refusal) == [.socketShared])
        #expect(searches.all.count == SocketLookups.maximumAttempts)
    }

    /// Other refusals are final.
    @Test(arguments: IdentityRefusal.allCases.filter { $0 != .socketShared })
    func refusals(_ refusal: IdentityRefusal) async throws {
        let searches = Searches { _, sockets in sockets.map { _ in .refused(refusal) } }
        #expect(try await results(searches, [owner, owner]).map(\.refusal) == [refusal, refusal])
        let failing = Searches { _, _ throws(IdentityRefusal) in throw refusal }
        #expect(try await results(failing, [owner]).map(\.refusal) == [refusal])
    }

    /// Sockets that are held by too many processes together are searched for again, before others.
    @Test func postponedSockets() async throws {
        let gate = DispatchSemaphore(value: 0)
        let searches = Searches(gate: gate) { [found] _, sockets in
            sockets.indices.map { $0 < 2 ? found : .postponed }
        }
        let owners = (1...6).map { number in
            TCPSocketOwner(
                connection: owner.connection, uid: owner.uid, inode: UInt32(number), cookie: owner.cookie, cgroupID: 1)
        }
        // The kernel does not have these sockets.
        #expect(try await results(searches, owners).allSatisfy { $0.refusal == .socketElsewhere })
        let same = try await results(searches, [TCPSocketOwner](repeating: owner, count: 6)) { _, _ in gate.signal() }
        #expect(same.allSatisfy { $0.refusal == nil })
        #expect(searches.all.map(\.count) == [1, 5, 3, 1])
    }

    /// Attack: connections are closed while they wait, and opened again, without end.
    @Test func aConnectionThatIsClosedWhileItWaits() async throws {
        let gate = DispatchSemaphore(value: 0)
        let searches = Searches(gate: gate) { [found] _, sockets in sockets.map { _ in found } }
        let results = try await results(searches, [TCPSocketOwner](repeating: owner, count: 10)) { _, withdraw in
            for index in 0..<9 { withdraw[index]() }
            gate.signal()
        }
        #expect(results.map(\.refusal) == [IdentityRefusal?](repeating: .unanswered, count: 9) + [nil])
        // The first one had begun.
        #expect(searches.all.map(\.count) == [1, 1])
    }

    /// A daemon that stops leaves nothing unanswered, whatever it waits for.
    @Test(arguments: [false, true]) func theServiceStops(_ isDelayed: Bool) async throws {
        // Time stands still on this loop: the next attempt is always still to come.
        let loop = NIOAsyncTestingEventLoop()
        let gate = DispatchSemaphore(value: isDelayed ? 1 : 0)
        let searches = Searches(gate: gate) { _, sockets in sockets.map { _ in .refused(.socketShared) } }
        let fixture = try await loop.submit { [loop, owner] in
            let fixture = Fixture(searches, on: loop)
            fixture.requests = (0..<3).map { _ in fixture.lookups.facts(of: owner, wantsLogin: false) }
            return NIOLoopBound(fixture, eventLoop: loop)
        }.get()
        if isDelayed { try await eventually("a search") { !searches.all.isEmpty } }
        let results = try await loop.submit { [loop] in
            fixture.value.lookups.stop()
            return EventLoopFuture.whenAllSucceed(fixture.value.requests.map(\.result), on: loop)
        }.get().get()
        #expect(results.map(\.refusal) == [.unanswered, .unanswered, .unanswered])
        gate.signal()
    }
}

/// A pair whose app's end is closed on another thread.
private final class NIOLoopBoundPair: @unchecked Sendable {
    private let pair: TCPPair
    init(_ pair: TCPPair) { self.pair = pair }
    func closeApp() { pair.closeApp() }
}

extension Result<PeerFacts, IdentityRefusal> {
    fileprivate var refusal: IdentityRefusal? {
        if case .failure(let refusal) = self { refusal } else { nil }
    }
}
