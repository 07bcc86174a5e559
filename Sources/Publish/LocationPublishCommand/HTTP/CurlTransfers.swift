internal import CCurl
internal import EventLoopSupport
internal import NIOCore

/// Runs libcurl's transfers on an event loop, which watches its descriptors and provides its timer. Confined to the
/// event loop.
final class CurlTransfers {
    /// One of libcurl's descriptors.
    private struct Socket {
        let watch: DescriptorPoller.Watch
        var events: DescriptorPoller.Events
    }

    /// Called when a request ends.
    var onEnd: (CURLcode) -> Void = { _ in }

    private let multi: UnsafeMutableRawPointer
    private let poller: DescriptorPoller
    private let timer: LoopTimer
    private var sockets: [curl_socket_t: Socket] = [:]
    private var request: CurlRequest?
    private var isStopped = false

    private static let library: Void = { _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    /// Throws an error if the process has run out of descriptors or memory.
    init(on loop: any EventLoop) throws {
        _ = Self.library
        poller = try DescriptorPoller(on: loop)
        timer = LoopTimer(on: loop)
        guard let multi = curl_multi_init() else { throw CurlRequest.Failure(reason: "libcurl has no memory") }
        self.multi = multi
        curl_multi_set_callbacks(
            multi,
            { _, socket, action, object, _ in
                CurlTransfers.of(object).follow(socket, action)
                return 0
            },
            { _, milliseconds, object in
                CurlTransfers.of(object).setTimer(milliseconds)
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { stop() }

    /// Starts a request; only one may run at a time. Returns whether libcurl has enough memory.
    func start(_ request: CurlRequest) -> Bool {
        guard !isStopped, curl_multi_add_handle(multi, request.handle) == CURLM_OK else { return false }
        self.request = request
        return true
    }

    /// Ends everything at once, and closes the connections. Nothing is reported after that.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        onEnd = { _ in }
        curl_multi_set_callbacks(multi, nil, nil, nil)
        timer.cancel()
        for socket in sockets.values { socket.watch.end() }
        sockets = [:]
        removeRequest()
        curl_multi_cleanup(multi)
        poller.stop()
    }

    private static func of(_ object: UnsafeMutableRawPointer?) -> CurlTransfers {
        Unmanaged<CurlTransfers>.fromOpaque(object!).takeUnretainedValue()
    }

    private func removeRequest() {
        guard let request else { return }
        curl_multi_remove_handle(multi, request.handle)
        self.request = nil
    }

    // MARK: libcurl's sockets and timer

    private func follow(_ descriptor: curl_socket_t, _ action: CInt) {
        guard action != CURL_POLL_REMOVE else {
            sockets.removeValue(forKey: descriptor)?.watch.end()
            return
        }
        var events: DescriptorPoller.Events = []
        if action & CURL_POLL_IN != 0 { events.insert(.readable) }
        if action & CURL_POLL_OUT != 0 { events.insert(.writable) }
        let watch =
            sockets[descriptor]?.watch
            ?? poller.watch(descriptor) { [unowned self] in isReady(descriptor, $0) }
        sockets[descriptor] = Socket(watch: watch, events: events)
        arm(descriptor)
    }

    private func arm(_ descriptor: curl_socket_t) {
        guard let socket = sockets[descriptor] else { return }
        do {
            try socket.watch.wait(for: socket.events)
        } catch {
            // The kernel is out of memory: the request's timeout ends it.
            socket.watch.end()
        }
    }

    private func isReady(_ descriptor: curl_socket_t, _ events: DescriptorPoller.Events) {
        var mask: CInt = 0
        if events.contains(.readable) || events.contains(.ended) { mask |= CURL_CSELECT_IN }
        if events.contains(.writable) { mask |= CURL_CSELECT_OUT }
        if events.contains(.failed) { mask |= CURL_CSELECT_ERR }
        advance(descriptor, mask)
        // The poller reports only once.
        arm(descriptor)
    }

    private func setTimer(_ milliseconds: Int) {
        guard milliseconds >= 0 else { return timer.cancel() }
        timer.set(in: .milliseconds(Int64(milliseconds))) { [unowned self] in advance(CURL_SOCKET_TIMEOUT, 0) }
    }

    private func advance(_ descriptor: curl_socket_t, _ mask: CInt) {
        var count: CInt = 0
        curl_multi_socket_action(multi, descriptor, mask, &count)
        let result = curl_multi_next_result(multi)
        guard result >= 0 else { return }
        removeRequest()
        onEnd(CURLcode(rawValue: CURLcode.RawValue(result)))
    }
}
