internal import EventLoopSupport
internal import Linux
internal import NIOCore
internal import NTRIP

/// A connection to a caster. Confined to the event loop.
///
/// libcurl looks up the host, connects and greets on a thread of its own, which ends with that.
final class CasterConnection {
    enum Event {
        case connected
        case received([UInt8])
        /// The connection has failed or ended. Nothing follows.
        case ended(String)
    }

    /// The bytes per second that are received: more than corrections of all constellations at 10 Hz have.
    ///
    /// Attack: a caster sends as fast as it can, and false beginnings of frames, which are costly to check.
    static let bytesPerSecond = 65_536.0
    /// The bytes that may arrive at once: a long table's.
    static let burst = 524_288.0
    private static let receivedAtOnce = 8192

    private let loop: any EventLoop
    private let poller: DescriptorPoller
    private let onEvent: (Event) -> Void
    private var budget = RateBudget(perSecond: bytesPerSecond, burst: burst)
    private var handle: CurlHandle?
    private var watch: DescriptorPoller.Watch?
    private let pause: LoopTimer
    private var isClosed = false

    /// - Parameter onEvent: Called on the loop, not before ``start(_:authorities:)`` has returned.
    init(poller: DescriptorPoller, on loop: any EventLoop, onEvent: @escaping (Event) -> Void) {
        (self.poller, self.loop, self.onEvent) = (poller, loop, onEvent)
        pause = LoopTimer(on: loop)
    }

    /// Begins to connect.
    func start(_ address: CasterAddress, authorities: String?) {
        let (loop, bound) = (loop, NIOLoopBound(self, eventLoop: loop))
        guard let handle = CurlHandle(address, authorities: authorities) else {
            return loop.execute { bound.value.end("there is no memory") }
        }
        do {
            try DetachedThread.start {
                let failure = handle.connect()
                loop.execute { bound.value.didConnect(handle, failure) }
            }
        } catch {
            loop.execute { bound.value.end("\(error)") }
        }
    }

    /// Sends bytes. A connection that does not accept them at once has not been read for long, and ends.
    func send(_ bytes: [UInt8]) {
        guard let handle, !handle.send(bytes) else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.end("the caster does not read") }
    }

    /// Closes the connection. Nothing is reported afterwards.
    func close() {
        isClosed = true
        pause.cancel()
        watch?.end()
        (watch, handle) = (nil, nil)
    }

    private func end(_ reason: String) {
        guard !isClosed else { return }
        close()
        onEvent(.ended(reason))
    }

    private func didConnect(_ handle: CurlHandle, _ failure: String?) {
        guard !isClosed else { return }
        guard failure == nil, let socket = handle.socket else { return end(failure ?? "there is no connection") }
        self.handle = handle
        watch = poller.watch(socket) { [unowned self] _ in receive() }
        onEvent(.connected)
        receive()
    }

    /// Receives the available bytes. With TLS, the poller does not see bytes that are decrypted already, so it is asked only
    /// when there is nothing left.
    private func receive() {
        guard let handle else { return }
        switch handle.receive(limit: Self.receivedAtOnce) {
        case .bytes(let bytes):
            let delay = budget.spend(Double(bytes.count), at: loop.now.seconds)
            pause.set(in: .clamping(seconds: delay)) { [unowned self] in receive() }
            onEvent(.received(bytes))
        case .nothing:
            do { try watch?.wait(for: .readable) } catch { end("\(error)") }
        case .end(let reason): end(reason)
        }
    }
}
