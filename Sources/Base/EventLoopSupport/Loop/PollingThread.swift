internal import Dispatch
internal import Glibc
internal import Linux
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// Waits for descriptors on behalf of one of NIO's event loops, which waits only for its own channels.
///
/// Confined to the event loop, except for the thread.
final class PollingThread {
    private let loop: any EventLoop
    private let watches: DescriptorWatches
    /// The loop's channel that receives events from the thread, and the thread's end of it. `nil` until the first wait
    /// starts the thread.
    private var handover: (channel: HandoverChannel, to: Handover)?
    private var isStopped = false

    init(_ watches: DescriptorWatches, on loop: any EventLoop) {
        self.watches = watches
        self.loop = loop
    }

    /// Ends the thread. The channel closes itself when the pipe, which the thread holds, is gone: only the loop may
    /// close a channel.
    deinit {
        watches.epoll.wake()
        handover?.to.end()
    }

    func stop() {
        isStopped = true
        watches.epoll.wake()
        handover?.channel.stop()
        handover?.to.end()
        handover = nil
    }

    /// Starts the thread if it does not run.
    ///
    /// Attack: clients are ready all the time. A NIO loop serves its channels only when it has no tasks left. So events
    /// arrive through a channel, and the thread waits for the next ones only after these have been handled.
    func start() throws(SystemCallError) {
        guard handover == nil, !isStopped else { return }
        let handover = try Handover()
        let channel = try HandoverChannel(handover.descriptor, on: loop) { [watches, weak handover] in
            guard let handover else { return }
            for event in handover.removeReady() { watches.report(event.events, id: event.id) }
            handover.handled.signal()
        }
        do throws(SystemCallError) {
            try DetachedThread.start { [epoll = watches.epoll] in
                while true {
                    var (ready, isWoken) = ([Handover.Ready](), false)
                    epoll.wait(nanoseconds: -1) { id, events in
                        if id == Epoll.wakeID { isWoken = true } else { ready.append((id, events)) }
                    }
                    if isWoken || !handover.pass(ready) { return }
                }
            }
        } catch {
            channel.stop()
            throw error
        }
        self.handover = (channel, handover)
    }
}

/// The way of events from the thread to the loop. A pipe becomes readable when there are events.
private final class Handover: Sendable {
    typealias Ready = (id: UInt64, events: DescriptorPoller.Events)

    private struct State {
        var ready: [Ready] = []
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
    func pass(_ ready: [Ready]) -> Bool {
        state.withLockedValue { $0.ready = ready }
        pipe.wake()
        handled.wait()
        return !state.withLockedValue(\.hasEnded)
    }

    func removeReady() -> [Ready] {
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
