internal import CCurl
internal import ForeignText
internal import Glibc
internal import NTRIP

/// A libcurl handle for a connection without HTTP: libcurl connects, by a proxy if the environment has one, and
/// encrypts, and the caller sends and receives.
///
/// It is used by one thread at a time.
final class CurlHandle: @unchecked Sendable {
    /// The time for connecting, including name lookup and TLS, in seconds.
    private static let connectTimeoutSeconds = 30

    private let handle: UnsafeMutableRawPointer
    private let errors: UnsafeMutablePointer<CChar>

    private static let library: Void = { _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    /// Returns `nil` if there is no memory.
    init?(_ address: CasterAddress, authorities: String?) {
        _ = Self.library
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        errors = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errors.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        curl_set_error_buffer(handle, errors)
        curl_set_text(handle, CURLOPT_URL, "\(address.usesTLS ? "https" : "http")://\(address.authority)/")
        curl_set_number(handle, CURLOPT_CONNECT_ONLY, 1)
        // A proxy passes everything on, instead of reading a request that it expects.
        curl_set_number(handle, CURLOPT_HTTPPROXYTUNNEL, 1)
        curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        curl_set_number(handle, CURLOPT_HTTP_VERSION, curl_http_1_1)
        curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, Self.connectTimeoutSeconds)
        curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        curl_set_number(handle, CURLOPT_SSLVERSION, curl_tls_1_2)
        curl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 1)
        curl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 2)
        if let authorities {
            // Instead of the system's authorities, which libcurl would otherwise also look for in their folder.
            curl_set_text(handle, CURLOPT_CAPATH, nil)
            curl_set_text(handle, CURLOPT_CAINFO, authorities)
        }
        curl_set_socket_options(handle) { _, socket, _ in
            // Attack: the user revokes the location while the network is down, and the kernel sends the last position
            // of the closed connection once the network is back.
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            return CInt(CURL_SOCKOPT_OK)
        }
    }

    deinit {
        curl_easy_cleanup(handle)
        errors.deallocate()
    }

    /// Connects, which may take a long time. Returns the reason why that failed, or `nil`.
    func connect() -> String? {
        let status = curl_easy_perform(handle)
        guard status != CURLE_OK else { return nil }
        let details = String(cString: errors)
        return ForeignText.line(details.isEmpty ? String(cString: curl_easy_strerror(status)) : details)
    }

    /// The descriptor of the connection, or `nil` if there is none.
    var socket: CInt? {
        let socket = curl_active_socket(handle)
        return socket < 0 ? nil : socket
    }

    /// Sends bytes without waiting. Returns whether the connection has accepted all of them.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        return curl_easy_send(handle, bytes, bytes.count, &sent) == CURLE_OK && sent == bytes.count
    }

    enum Received {
        case bytes([UInt8])
        /// There is nothing to receive now.
        case nothing
        case end(String)
    }

    /// Receives at most `limit` bytes without waiting.
    func receive(limit: Int) -> Received {
        var received = 0
        var status = CURLE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            status = curl_easy_recv(handle, buffer.baseAddress, buffer.count, &received)
            count = status == CURLE_OK ? received : 0
        }
        switch status {
        case CURLE_OK where !bytes.isEmpty: return .bytes(bytes)
        case CURLE_OK: return .end("the caster has closed the connection")
        case CURLE_AGAIN: return .nothing
        default: return .end(ForeignText.line(String(cString: curl_easy_strerror(status))))
        }
    }
}
