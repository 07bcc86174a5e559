internal import CLinux
internal import Dispatch
internal import Glibc
package import Linux
internal import NIOConcurrencyHelpers
package import NIOCore
internal import NIOPosix

/// Reports on an event loop that descriptors are ready, and does nothing else with them.
///
/// NIO's loops offer this only to their own channels, which read and close as they see fit. So a thread sleeps until a
/// descriptor is ready. Confined to the event loop, except for this thread.
package final class DescriptorPoller {
    /// Events of a descriptor.
    package struct Events: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        init(_ events: poller_events) { rawValue = events.rawValue }

        /// There are bytes to receive, or the end has been reached.
        package static let readable = Events(POLLER_READABLE)
        /// The socket accepts bytes.
        package static let writable = Events(POLLER_WRITABLE)
        /// The other end sends nothing more.
        package static let ended = Events(POLLER_ENDED)
        /// There is an error, or the other end is closed. Always waited for.
        package static let failed = Events(POLLER_FAILED)
    }

    /// The watch of one descriptor. It reports nothing until ``wait(for:)`` is called.
    package final class Watch {
        private let poller: DescriptorPoller
        private let descriptor: CInt
        fileprivate let id: UInt64
        fileprivate var onReady: ((Events) -> Void)?

        fileprivate init(
            _ descriptor: CInt, id: UInt64, of poller: DescriptorPoller, onReady: @escaping (Events) -> Void
        ) {
            self.descriptor = descriptor
            self.id = id
            self.poller = poller
            self.onReady = onReady
        }

        /// Waits until one of these events has been reported, in place of any earlier wait.
        package func wait(for events: Events) throws(SystemCallError) {
            guard onReady != nil else { return }
            try poller.arm(descriptor, self, events)
        }

        /// Ends all reports. To be called before the descriptor is closed.
        package func end() {
            guard onReady != nil else { return }
            onReady = nil
            poller.forget(self, descriptor)
        }
    }

    private let loop: any EventLoop
    private let epoll: Epoll
    private var watches: [UInt64: Watch] = [:]
    /// The id of the latest watch. Ids are never reused: an event may be on its way when its watch ends.
    private var lastID: UInt64 = 0
    /// The loop's channel that receives events from the thread, and the thread's end of it. `nil` until the first wait
    /// starts the thread.
    private var handover: (channel: HandoverChannel, to: Handover)?
    private var isStopped = false

    package init(on loop: any EventLoop) throws(SystemCallError) {
        self.loop = loop
        epoll = try Epoll()
    }

    /// Ends the thread. The channel closes itself when the pipe, which the thread holds, is gone: only the loop may
    /// close a channel.
    deinit {
        epoll.wake()
        handover?.to.end()
    }

    /// Returns a watch of a descriptor, which must stay open until ``Watch/end()``.
    ///
    /// - Parameter onReady: Called on the loop when one of the expected events has happened.
    package func watch(_ descriptor: CInt, onReady: @escaping (Events) -> Void) -> Watch {
        lastID += 1
        return Watch(descriptor, id: lastID, of: self, onReady: onReady)
    }

    /// Ends all reports. To be called before the loop ends.
    package func stop() {
        isStopped = true
        epoll.wake()
        handover?.channel.stop()
        handover?.to.end()
        handover = nil
    }

    private func arm(_ descriptor: CInt, _ watch: Watch, _ events: Events) throws(SystemCallError) {
        let status = poller_arm(epoll.descriptor, descriptor, watch.id, events.rawValue)
        guard status >= 0 else { throw SystemCallError("epoll_ctl", -status) }
        watches[watch.id] = watch
        if handover == nil, !isStopped { try start() }
    }

    private func forget(_ watch: Watch, _ descriptor: CInt) {
        guard watches.removeValue(forKey: watch.id) != nil else { return }
        poller_remove(epoll.descriptor, descriptor)
    }

    /// Starts the thread.
    ///
    /// Attack: clients are ready all the time. A NIO loop serves its channels, such as the ports of receivers, only
    /// when it has no tasks left. So events arrive through a channel, and the thread waits for the next ones only after
    /// these have been handled.
    private func start() throws(SystemCallError) {
        let handover = try Handover()
        let channel = try HandoverChannel(handover.descriptor, on: loop) { [weak self, weak handover] in
            guard let handover else { return }
            self?.report(handover.removeReady())
            handover.handled.signal()
        }
        do throws(SystemCallError) {
            try DetachedThread.start { [epoll] in
                while let ready = epoll.wait(), handover.pass(ready) {}
            }
        } catch {
            channel.stop()
            throw error
        }
        self.handover = (channel, handover)
    }

    private func report(_ ready: [Epoll.Ready]) {
        for event in ready where !isStopped { watches[event.id]?.onReady?(event.events) }
    }
}

/// The way of events from the thread to the loop. A pipe becomes readable when there are events.
private final class Handover: Sendable {
    private struct State {
        var ready: [Epoll.Ready] = []
        var hasEnded = false
    }

    private let pipe: WakePipe
    private let state = NIOLockedValueBox(State())
    /// Signalled when the loop has handled the events. A semaphore by itself does not start any thread of Dispatch.
    let handled = DispatchSemaphore(value: 0)

    init() throws(SystemCallError) { pipe = try WakePipe() }

    /// The end of the pipe that the loop reads.
    var descriptor: CInt { pipe.descriptor }

    /// Passes events to the loop, and waits until the loop has handled them. Returns `false` once the handover has
    /// ended.
    func pass(_ ready: [Epoll.Ready]) -> Bool {
        state.withLockedValue { $0.ready = ready }
        pipe.wake()
        handled.wait()
        return !state.withLockedValue(\.hasEnded)
    }

    func removeReady() -> [Epoll.Ready] {
        state.withLockedValue { state in
            defer { state.ready = [] }
            return state.ready
        }
    }

    /// Ends ``pass(_:)``, now or when it is called next.
    func end() {
        state.withLockedValue { $0.hasEnded = true }
        handled.signal()
    }
}

/// The loop's channel that reads the pipe.
private final class HandoverChannel: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var onRead: (() -> Void)?
    private var context: ChannelHandlerContext?

    /// Reads a duplicate of the descriptor.
    init(_ descriptor: CInt, on loop: any EventLoop, onRead: @escaping () -> Void) throws(SystemCallError) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemCallError("fcntl", errno) }
        self.onRead = onRead
        let bound = NIOLoopBound(self, eventLoop: loop)
        NIOPipeBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 8))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(bound.value)
                }
            }
            .takingOwnershipOfDescriptor(input: copy)
            .assumeIsolated()
            .whenFailure { [self] _ in
                _ = Glibc.close(copy)
                self.onRead = nil
            }
        guard self.onRead != nil else { throw SystemCallError("epoll_ctl", EIO) }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelReadComplete(context: ChannelHandlerContext) { onRead?() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func stop() {
        onRead = nil
        context?.close(promise: nil)
    }
}

/// An epoll(7) instance that can be ended from another thread.
private final class Epoll: Sendable {
    /// A descriptor that is ready, by the id of its watch.
    struct Ready: Sendable {
        let id: UInt64
        let events: DescriptorPoller.Events
    }

    /// An id that no watch has. Its event ends the waiting.
    private static let endID: UInt64 = 0

    let descriptor: CInt
    /// The pipe that ends the waiting.
    private let end: WakePipe

    init() throws(SystemCallError) {
        end = try WakePipe()
        descriptor = poller_create()
        guard descriptor >= 0 else { throw SystemCallError("epoll_create1", -descriptor) }
        let status = poller_arm(descriptor, end.descriptor, Self.endID, POLLER_READABLE.rawValue)
        guard status >= 0 else { throw SystemCallError("epoll_ctl", -status) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Blocks until a descriptor is ready. Returns `nil` once ``wake()`` was called.
    func wait() -> [Ready]? {
        let ready = withUnsafeTemporaryAllocation(of: poller_event.self, capacity: Int(POLLER_EVENTS)) { events in
            let count = poller_wait(descriptor, events.baseAddress!)
            return events.prefix(max(0, Int(count))).map { Ready(id: $0.id, events: .init(rawValue: $0.events)) }
        }
        return ready.isEmpty || ready.contains { $0.id == Self.endID } ? nil : ready
    }

    /// Ends ``wait()``, now or when it is called next.
    func wake() { end.wake() }
}
