import EventLoopSupport
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import LocationService

/// Steps of the clock and sleep, signalled by a descriptor that the test closes.
@Suite struct ClockWatchTests {
    /// The write ends of the pipes that were opened. The last one belongs to the pipe that is being watched.
    private let pipes = NIOLockedValueBox<[CInt]>([])
    private let slept = NIOLockedValueBox<Int64>(5_000_000_000)
    private let told = NIOLockedValueBox<[TimeAmount]>([])

    private func change() { close(pipes.withLockedValue { $0.removeLast() }) }

    @Test func everyChangeIsTold() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let (pipes, slept, told) = (pipes, slept, told)
        let changes = NIOLockedValueBox<EventLoopPromise<Void>?>(nil)
        let watch = try await loop.submit {
            let watch = ClockWatch(
                poller: try DescriptorPoller(on: loop),
                open: {
                    var ends: [CInt] = [-1, -1]
                    guard pipe(&ends) == 0 else { return -1 }
                    pipes.withLockedValue { $0.append(ends[1]) }
                    return ends[0]
                }, slept: { slept.withLockedValue { $0 } },
                onChange: { sleep in
                    told.withLockedValue { $0.append(sleep) }
                    changes.withLockedValue { $0 }?.succeed()
                })
            return NIOLoopBound(watch, eventLoop: loop)
        }.get()
        for sleep in [0, 3_600_000_000_000, 0, 2_000_000_000] as [Int64] {
            let promise = loop.makePromise(of: Void.self)
            changes.withLockedValue { $0 = promise }
            slept.withLockedValue { $0 += sleep }
            change()
            try await promise.futureResult.get()
        }
        #expect(told.withLockedValue { $0 } == [.zero, .hours(1), .zero, .seconds(2)])
        try await loop.submit { watch.value.stop() }.get()
        change()
        try await loop.submit {}.get()
        #expect(told.withLockedValue { $0.count } == 4)
        try await group.shutdownGracefully()
    }

    /// Uses the kernel's own descriptor, which reports nothing while nothing happens.
    @Test func theKernelsDescriptor() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let told = told
        let watch = try await loop.submit {
            NIOLoopBound(
                ClockWatch(poller: try DescriptorPoller(on: loop)) { sleep in told.withLockedValue { $0.append(sleep) }
                },
                eventLoop: loop)
        }.get()
        try await loop.scheduleTask(in: .milliseconds(50)) {}.futureResult.get()
        #expect(told.withLockedValue { $0.isEmpty })
        try await loop.submit { watch.value.stop() }.get()
        try await group.shutdownGracefully()
    }
}
