internal import EventLoopSupport
internal import Glibc
internal import Linux
internal import NIOCore
internal import Positioning

/// The networks that the kernel has heard, where NetworkManager is not running: by the scans of wpa_supplicant, iwd or
/// ConnMan.
///
/// It sleeps until the kernel reports the end of a scan. A thread reads the list, since a driver may have it wait;
/// there is at most one such thread. Confined to the event loop.
final class KernelNetworks {
    /// Reads the list, and subscribes the socket to the events that change it.
    typealias List = @Sendable (NetlinkSocket) -> Result<KernelList, KernelFault>
    /// The number of messages after which the loop does something else.
    private static let messagesAtOnce = 16

    /// Called when a scan has ended, or a connection has begun or ended.
    var onChange: (() -> Void)?
    /// A Boolean value indicating whether the kernel's events are received.
    private(set) var isOpen = false

    private let list: List
    private let poller: DescriptorPoller
    private let loop: any EventLoop
    private var surroundings: KernelSurroundings
    private var socket: NetlinkSocket?
    private var watch: DescriptorPoller.Watch?
    /// The reason why there are no events.
    private var fault: KernelFault?
    /// The id of nl80211, once it is known.
    private var family: UInt16?
    /// The call that waits for the list.
    private var reader: ((SurroundingsReport, KernelFault?) -> Void)?
    /// A Boolean value indicating whether a thread reads the list.
    private var isListing = false

    init(
        _ hash: EmitterHash, poller: DescriptorPoller, on loop: any EventLoop,
        list: @escaping List = { KernelListReader.list(subscribing: $0) }
    ) {
        (self.list, self.poller, self.loop) = (list, poller, loop)
        surroundings = KernelSurroundings(hash)
    }

    deinit { close() }

    /// Begins to receive the kernel's events.
    func open() {
        guard !isOpen else { return }
        isOpen = true
        fault = nil
        do throws(SystemCallError) {
            let socket = try NetlinkSocket(NetlinkSocket.generic)
            // Of the driver that is loaded later.
            try socket.join(GenericMessage.controlGroup)
            let watch = poller.watch(socket.descriptor) { [unowned self] _ in receive() }
            (self.socket, self.watch) = (socket, watch)
            try watch.wait(for: .readable)
        } catch {
            fail(error)
        }
    }

    /// Ends it. No call of ``read(_:)`` is answered afterwards.
    func close() {
        isOpen = false
        reader = nil
        surroundings.forget()
        closeSocket()
    }

    private func closeSocket() {
        watch?.end()
        (watch, socket, family) = (nil, nil, nil)
    }

    private func fail(_ error: SystemCallError) {
        fault = .failed(error)
        closeSocket()
        if reader != nil { finish(.failure(.failed(error))) } else { onChange?() }
    }

    // MARK: Events

    private func receive() {
        guard let socket, let watch else { return }
        do throws(SystemCallError) {
            try receive(from: socket)
            try watch.wait(for: .readable)
        } catch {
            fail(error)
        }
    }

    private func receive(from socket: NetlinkSocket) throws(SystemCallError) {
        for _ in 0..<Self.messagesAtOnce {
            do throws(SystemCallError) {
                guard let bytes = try socket.receive() else { return }
                handle(bytes)
            } catch {
                // Events were lost.
                guard error.errno == ENOBUFS else { throw error }
                handle(.scan)
            }
        }
    }

    /// Handles what the kernel has sent.
    func handle(_ bytes: [UInt8]) {
        for message in NetlinkMessage.list(bytes) ?? [] {
            if let event = NL80211.event(message, family: family) { handle(event) }
        }
    }

    private func handle(_ event: NL80211.Event) {
        if event == .scan { surroundings.scanEnded(at: now) }
        onChange?()
    }

    private var now: Double { Double(loop.now.uptimeNanoseconds) / 1e9 }

    // MARK: The list

    /// Reads the list, and calls `body` with its report, or with an empty one and the reason. A later call replaces an
    /// earlier one.
    func read(_ body: @escaping (SurroundingsReport, KernelFault?) -> Void) {
        reader = body
        guard let socket else { return finish(.failure(fault ?? .noWireless)) }
        if !isListing { startListing(socket) }
    }

    private func startListing(_ socket: NetlinkSocket) {
        surroundings.willList()
        let (loop, list, bound) = (loop, list, NIOLoopBound(self, eventLoop: loop))
        do throws(SystemCallError) {
            try DetachedThread.start {
                let result = list(socket)
                loop.execute { bound.value.didList(result, on: socket) }
            }
            isListing = true
        } catch {
            finish(.failure(.failed(error)))
        }
    }

    private func didList(_ result: Result<KernelList, KernelFault>, on socket: NetlinkSocket) {
        isListing = false
        guard let current = self.socket, reader != nil else { return }
        // It was closed and opened again meanwhile.
        guard current === socket else { return startListing(current) }
        if case .success(let list) = result { family = list.family }
        finish(result)
    }

    private func finish(_ result: Result<KernelList, KernelFault>) {
        let reader = reader
        self.reader = nil
        switch result {
        case .success(let list): reader?(surroundings.report(list.networks, at: now), nil)
        case .failure(let fault): reader?(SurroundingsReport(), fault)
        }
    }
}
