import Bus
import Dispatch
import EventLoopSupport
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Positioning
import TestSupport
import Testing

@testable import Surroundings

/// The kernel's networks, which are read where NetworkManager is not running. The kernel is a double.
@Suite(.timeLimit(.minutes(15)), .enabled(if: NetworkManagerDouble.isPossible, "needs dbus-daemon and python3-gi"))
struct KernelNetworksTests {
    private static let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    /// The end of a scan.
    private static let scan = KernelMessages.generic(34, [])

    /// The lists that a kernel answers with.
    private final class Kernel: Sendable {
        private struct State {
            var result: Result<KernelList, KernelFault>
            var readings = 0
        }

        private let state: NIOLockedValueBox<State>

        init(_ result: Result<KernelList, KernelFault>) { state = NIOLockedValueBox(State(result: result)) }

        /// The number of times that the list was read.
        var readings: Int { state.withLockedValue { $0.readings } }

        func set(_ result: Result<KernelList, KernelFault>) { state.withLockedValue { $0.result = result } }

        func list() -> Result<KernelList, KernelFault> {
            state.withLockedValue { state in
                state.readings += 1
                return state.result
            }
        }
    }

    /// Returns the list of that many networks. The machine is connected to the first one.
    private static func list(_ count: UInt8) -> Result<KernelList, KernelFault> {
        let networks = (0..<count).map {
            KernelNetwork(address: [0x3C, 0xA6, 0x2F, 0x01, $0, 0x10], strength: 0.6, age: 0.5, isConnected: $0 == 0)
        }
        return .success(KernelList(family: KernelMessages.family, networks: networks))
    }

    /// The parts that are confined to the loop.
    private final class Parts {
        let bus: Bus
        let poller: DescriptorPoller
        let kernel: KernelNetworks
        var watch: NetworkWatch?
        var reports: [SurroundingsReport] = []

        init(_ address: String, on loop: any EventLoop, list: @escaping KernelNetworks.List) throws {
            poller = try DescriptorPoller(on: loop)
            bus = Bus(address: address, poller: poller, on: loop)
            let hash = EmitterHash(secret: Array(0..<32))
            kernel = KernelNetworks(hash, poller: poller, on: loop, list: list)
            watch = NetworkWatch(hash, bus: bus, on: loop, kernel: kernel, neighbours: { "" }) { [unowned self] in
                reports.append($0)
            }
            watch?.start()
        }

        func stop() {
            watch?.stop()
            bus.stop()
            poller.stop()
        }
    }

    /// Access to the parts, on their loop.
    private struct Scene: Sendable {
        let parts: NIOLoopBound<Parts>

        func on<Value: Sendable>(_ body: @escaping @Sendable (Parts) -> Value) async throws -> Value {
            try await KernelNetworksTests.loop.submit { body(parts.value) }.get()
        }

        func last() async throws -> SurroundingsReport? { try await on { $0.reports.last } }

        /// Has the kernel say that many times that a scan has ended.
        func scan(_ count: Int = 1) async throws {
            try await on { parts in for _ in 0..<count { parts.kernel.handle(KernelNetworksTests.scan) } }
        }
    }

    /// Runs a watch on a bus, and stops it.
    private func run(
        at address: String, list: @escaping KernelNetworks.List, _ body: (Scene) async throws -> Void
    ) async throws {
        let loop = Self.loop
        let scene = Scene(
            parts: try await loop.submit {
                NIOLoopBound(try Parts(address, on: loop, list: list), eventLoop: loop)
            }.get())
        do {
            try await body(scene)
        } catch {
            try await scene.on { $0.stop() }
            throw error
        }
        try await scene.on { $0.stop() }
    }

    @Test func theKernelsNetworksAreReadAfterEachScan() async throws {
        let bus = try await PrivateBus()
        let kernel = Kernel(Self.list(3))
        try await run(at: bus.address, list: { _ in kernel.list() }) { scene in
            try await eventually("a report") { try await scene.last()?.scan?.count == 3 }
            // Who waits for the first report gets the kernel's.
            let (first, absence) = try await scene.on { ($0.reports.first, $0.watch?.absence) }
            #expect(first?.links.count == 1 && absence == nil)
            kernel.set(Self.list(5))
            try await scene.scan()
            try await eventually("the next scan") { try await scene.last()?.scan?.count == 5 }
            #expect(kernel.readings == 2)
        }
    }

    @Test func theyAreGivenUpWhenNetworkManagerAppears() async throws {
        let bus = try await PrivateBus()
        let kernel = Kernel(Self.list(2))
        try await run(at: bus.address, list: { _ in kernel.list() }) { scene in
            try await eventually("a report") { try await scene.last()?.scan?.count == 2 }
            let networks = try await NetworkManagerDouble(on: bus)
            try networks.set(heard: (0..<4).map { .init("3C:A6:2F:01:0\($0):10") })
            try await eventually("NetworkManager's report") { try await scene.last()?.scan?.count == 4 }
            #expect(try await scene.on { $0.kernel.isOpen } == false)
            let readings = kernel.readings
            try await networks.kill()
            try await eventually("the kernel's report") { try await scene.last()?.links.count == 1 }
            #expect(kernel.readings == readings + 1)
        }
    }

    @Test func withoutWirelessInterfacesTheReasonIsGiven() async throws {
        let bus = try await PrivateBus()
        try await run(at: bus.address, list: { _ in .failure(.noWireless) }) { scene in
            try await eventually("a report") { try await scene.last() == SurroundingsReport() }
            let absence = try await scene.on { $0.watch?.absence }
            #expect(absence == "NetworkManager is not running, and the kernel has no wireless interface")
        }
    }

    @Test func theyAreReadWithoutABus() async throws {
        let kernel = Kernel(Self.list(3))
        try await run(at: "unix:path=/nonexistent", list: { _ in kernel.list() }) { scene in
            try await eventually("a report") { try await scene.last()?.scan?.count == 3 }
            #expect(try await scene.on { $0.watch?.absence } == nil)
        }
    }

    /// Attack: a program has a device scan all the time. The list is read once in ten seconds.
    @Test func attackManyScansAreReadOnce() async throws {
        let bus = try await PrivateBus()
        let kernel = Kernel(Self.list(3))
        try await run(at: bus.address, list: { _ in kernel.list() }) { scene in
            try await eventually("a report") { try await scene.last()?.scan?.count == 3 }
            kernel.set(Self.list(9))
            try await scene.scan(5000)
            try await eventually("the scans") { try await scene.last()?.scan?.count == 9 }
            #expect(kernel.readings == 2)
        }
    }

    /// Attack: a driver that hangs keeps a thread for each time that an app has the surroundings watched.
    @Test func attackADriverThatHangsKeepsOneThread() async throws {
        let bus = try await PrivateBus()
        let kernel = Kernel(Self.list(3))
        let driver = DispatchSemaphore(value: 0)
        let isHanging = NIOLockedValueBox(true)
        try await run(
            at: bus.address,
            list: { _ in
                let result = kernel.list()
                if isHanging.withLockedValue({ $0 }) { driver.wait() }
                return result
            }
        ) { scene in
            try await eventually("a reading") { kernel.readings == 1 }
            for _ in 0..<5 {
                try await scene.on {
                    $0.watch?.stop()
                    $0.watch?.start()
                }
                try await eventually("the next watching") { try await scene.on { $0.kernel.isOpen } }
            }
            #expect(kernel.readings == 1)
            #expect(try await scene.last() == nil)
            isHanging.withLockedValue { $0 = false }
            driver.signal()
            try await eventually("a report") { try await scene.last()?.scan?.count == 3 }
            #expect(kernel.readings == 2)
        }
    }

    /// The socket of the real kernel, which says nothing here.
    @Test func itIsClosedAndOpenedAgain() async throws {
        let kernel = Kernel(Self.list(3))
        try await run(at: "unix:path=/nonexistent", list: { _ in kernel.list() }) { scene in
            for _ in 0..<3 {
                try await eventually("a report") { try await scene.last()?.links.count == 1 }
                let isOpen = try await scene.on { parts in
                    parts.watch?.stop()
                    parts.reports = []
                    defer { parts.watch?.start() }
                    return parts.kernel.isOpen
                }
                #expect(!isOpen)
            }
        }
    }
}
