internal import CMosquitto
internal import Glibc
internal import Linux
internal import NIOConcurrencyHelpers
internal import Publishing

/// A libmosquitto session, from connecting to its end. Confined to one thread.
///
/// Each connection has its own client instance, so that the library never resends anything by itself, and only the
/// publisher determines the order of messages.
final class MQTTSession {
    /// The time to wait for acknowledgements before a connection is closed, in milliseconds.
    private static let closingTime: Int64 = 3000

    private let settings: MQTTSettings
    private let report: (TransportEvent) -> Void
    private var handle: OpaquePointer?
    private var tokens: [CInt: SendQueue.Token] = [:]
    private var isConnected = false
    /// The messages waiting for the broker to accept the connection.
    private var waiting: [OutgoingMessage] = []
    /// The reason why the session ends, once it is known.
    private var failure: String?
    /// The last error that libmosquitto logged. For TLS, it is more precise than the error code.
    private var loggedError: String?
    private var closingDeadline: Int64?
    private var allowance: ReceiveAllowance

    private static let library: Void = { _ = mosquitto_lib_init() }()
    /// A Boolean value indicating whether a connection with TLS has been made in this process.
    private static let hasUsedTLS = NIOLockedValueBox(false)

    init(_ settings: MQTTSettings, report: @escaping (TransportEvent) -> Void) {
        self.settings = settings
        self.report = report
        allowance = ReceiveAllowance(keepAlive: settings.keepAlive, now: Self.now())
    }

    /// Connects, and runs until the connection ends. Returns the reason, or `nil` if this program closed it.
    ///
    /// - Parameter commands: Returns the queued work, once the pipe has woken this thread.
    func run(_ wake: WakePipe, _ commands: () -> MQTTConnection.Commands) -> String? {
        _ = Self.library
        let object = Unmanaged.passUnretained(self).toOpaque()
        guard let handle = mosquitto_new(settings.clientIdentifier, true, object) else {
            return "libmosquitto has no memory"
        }
        self.handle = handle
        defer { mosquitto_destroy(handle) }
        setCallbacks(handle)
        if let problem = MQTTSetup.apply(settings, to: handle) { return describe(problem) }
        let status = connect(handle)
        guard status == MOSQ_ERR_SUCCESS.code else { return describe(status) }
        guard let relay = BrokerRelay(between: mosquitto_socket(handle)) else { return MQTTReason.noDescriptors }
        while true {
            let work = commands()
            waiting += work.messages
            switch work.close {
            case .now:
                UnsentBytes.discardOnClose(of: relay.broker)
                return failure
            case .gracefully: closingDeadline = closingDeadline ?? Self.now() + Self.closingTime
            case nil: break
            }
            if isConnected, failure == nil { publishWaiting() }
            if let failure { return failure }
            if let closingDeadline, !isConnected || tokens.isEmpty || Self.now() > closingDeadline {
                mosquitto_disconnect_v5(handle, 0, nil)
                relay.flush()
                return nil
            }
            let status = turn(wake, relay)
            if let failure { return failure }
            if status != MOSQ_ERR_SUCCESS.code { return describe(status) }
        }
    }

    /// Only one thread at a time makes the first TLS connection: libmosquitto initializes TLS in it, without a lock.
    private func connect(_ handle: OpaquePointer) -> CInt {
        func connect() -> CInt {
            errno = 0
            return mosquitto_connect_bind_v5(
                handle, settings.host, CInt(settings.port), CInt(settings.keepAlive), nil, properties)
        }
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if settings.version == .mqtt5 {
            mosquitto_property_add_int32(
                &properties, MQTT_PROP_MAXIMUM_PACKET_SIZE.code, UInt32(ReceiveAllowance.whileConnected))
        }
        guard settings.usesTLS, !Self.hasUsedTLS.withLockedValue({ $0 }) else { return connect() }
        return Self.hasUsedTLS.withLockedValue { hasUsedTLS in
            let status = connect()
            hasUsedTLS = hasUsedTLS || status == MOSQ_ERR_SUCCESS.code
            return status
        }
    }

    /// Waits until a socket is ready, then reads and writes without waiting.
    private func turn(_ wake: WakePipe, _ relay: BrokerRelay) -> CInt {
        let socket = mosquitto_socket(handle)
        guard socket >= 0 else { return MOSQ_ERR_CONN_LOST.code }
        let events = mosquitto_want_write(handle) ? POLLIN | POLLOUT : POLLIN
        var descriptors = [
            pollfd(fd: socket, events: Int16(events), revents: 0),
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        descriptors += relay.polled
        errno = 0
        let ready = poll(&descriptors, nfds_t(descriptors.count), closingDeadline == nil ? checkInterval : 100)
        guard ready >= 0 || errno == EINTR else { return MOSQ_ERR_ERRNO.code }
        if ready > 0, descriptors[1].revents != 0 { wake.clear() }
        guard pass(relay) else { return MOSQ_ERR_ERRNO.code }
        let arrived = ready > 0 ? CInt(descriptors[0].revents) : 0
        var status = MOSQ_ERR_SUCCESS.code
        if arrived & (POLLIN | POLLHUP | POLLERR) != 0 { status = mosquitto_loop_read(handle, 16) }
        if status == MOSQ_ERR_SUCCESS.code, arrived & POLLOUT != 0 { status = mosquitto_loop_write(handle, 16) }
        if status == MOSQ_ERR_SUCCESS.code { status = mosquitto_loop_misc(handle) }
        return status
    }

    /// Passes on pending bytes in both directions. Returns whether the connection may continue.
    private func pass(_ relay: BrokerRelay) -> Bool {
        guard let received = relay.advance() else { return false }
        if allowance.receive(received, now: Self.now()) { return true }
        failure = "the broker sends more than a publisher should receive"
        return false
    }

    /// The maximum time between two checks of the keep-alive, in milliseconds. Brokers tolerate one and a half times
    /// the keep-alive: MQTT 5, 3.1.2.10.
    private var checkInterval: CInt { CInt(min(settings.keepAlive * 250, 15_000)) }

    private func publishWaiting() {
        for outgoing in waiting {
            var identifier: CInt = 0
            let status = publish(outgoing, &identifier)
            guard status == MOSQ_ERR_SUCCESS.code else {
                failure = "a message cannot be sent: \(describe(status))"
                break
            }
            tokens[identifier] = outgoing.token
        }
        waiting = []
    }

    private func publish(_ outgoing: OutgoingMessage, _ identifier: inout CInt) -> CInt {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if settings.version == .mqtt5 {
            // The payload's format, and how long a broker keeps it for absent clients.
            mosquitto_property_add_byte(&properties, MQTT_PROP_PAYLOAD_FORMAT_INDICATOR.code, 1)
            if let seconds = outgoing.expirySeconds {
                mosquitto_property_add_int32(
                    &properties, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.code, UInt32(clamping: max(seconds, 1)))
            }
            if let identity = outgoing.identity {
                mosquitto_property_add_string_pair(
                    &properties, MQTT_PROP_USER_PROPERTY.code, "id", identity.description)
            }
        }
        let message = outgoing.message
        return message.payload.withUnsafeBytes { payload in
            mosquitto_publish_v5(
                handle, &identifier, message.topic, CInt(payload.count), payload.baseAddress, 1, message.isRetained,
                properties)
        }
    }

    // MARK: Callbacks

    private func setCallbacks(_ handle: OpaquePointer) {
        mosquitto_connect_v5_callback_set(handle) { _, object, code, _, _ in MQTTSession.of(object).answered(code) }
        mosquitto_publish_v5_callback_set(handle) { _, object, identifier, code, _ in
            MQTTSession.of(object).acknowledged(identifier, code)
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, object, code, _ in MQTTSession.of(object).disconnected(code) }
        mosquitto_log_callback_set(handle) { _, object, level, text in
            guard let text else { return }
            MQTTSession.of(object).logged(level, text)
        }
    }

    private static func of(_ object: UnsafeMutableRawPointer?) -> MQTTSession {
        Unmanaged<MQTTSession>.fromOpaque(object!).takeUnretainedValue()
    }

    private func logged(_ level: CInt, _ text: UnsafePointer<CChar>) {
        if level == MOSQ_LOG_ERR { loggedError = String(cString: text) }
        // Attack: messages of QoS 2 that are never released; libmosquitto keeps them and reports them only in its log.
        if level == MOSQ_LOG_DEBUG, strstr(text, "received PUBLISH") != nil {
            failure = "the broker sends messages without a subscription"
        }
    }

    private func answered(_ code: CInt) {
        guard code == 0 else {
            failure = MQTTReason.refusal(code, version: settings.version)
            return
        }
        isConnected = true
        allowance.connected()
        report(.connected)
        report(.ready)
    }

    private func acknowledged(_ identifier: CInt, _ code: CInt) {
        guard let token = tokens.removeValue(forKey: identifier) else { return }
        allowance.acknowledged()
        // 0x10 means success without a matching subscriber.
        guard code < 0x80 else {
            failure = "the broker refuses a message: \(MQTTReason.text(code))"
            return
        }
        report(.acknowledged(token))
    }

    private func disconnected(_ code: CInt) {
        guard failure == nil, code >= 0x80 else { return }
        failure = MQTTReason.end(code, clientIdentifier: settings.clientIdentifier)
    }

    private func describe(_ status: CInt) -> String {
        if let failure { return failure }
        return MQTTReason.failure(status, errno: errno, logged: loggedError, isConnected: isConnected)
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
