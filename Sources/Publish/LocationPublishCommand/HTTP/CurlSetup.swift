internal import CCurl
internal import LocationModel
internal import Publishing

/// The settings of a libcurl handle before its first request.
enum CurlSetup {
    /// The timeout for connecting, including name lookup and TLS, in seconds.
    static let connectTimeoutSeconds = 30

    /// Applies the settings. Returns libcurl's error, or `nil` if there is none.
    ///
    /// - Parameter fields: The header fields besides libcurl's own. They must live as long as the handle.
    static func apply(
        _ settings: HTTPSettings, fields: UnsafeMutablePointer<curl_slist>?, to handle: UnsafeMutableRawPointer
    ) -> CURLcode? {
        let setup = Setup(handle)
        setup.text(CURLOPT_URL, settings.form.address)
        setup.number(CURLOPT_PATH_AS_IS, 1)
        setup.number(CURLOPT_POST, 1)
        setup.status(curl_set_headers(handle, fields))
        setup.text(CURLOPT_USERAGENT, "locationd-publish/\(Version.text)")
        applyLimits(setup)
        setup.number(CURLOPT_TIMEOUT, settings.requestTimeoutSeconds)
        applyCredentials(settings.credentials, setup)
        applyTLS(settings.tls, setup)
        // An empty string: without it, libcurl uses the environment's proxies.
        if !settings.usesEnvironmentProxy { setup.text(CURLOPT_PROXY, "") }
        return setup.failure
    }

    private static func applyLimits(_ setup: Setup) {
        // Attack: a server redirects to a file or to another server.
        setup.text(CURLOPT_PROTOCOLS_STR, "http,https")
        setup.number(CURLOPT_FOLLOWLOCATION, 0)
        // Sequential requests need no more, and no foreign streams can arrive.
        setup.number(CURLOPT_HTTP_VERSION, curl_http_1_1)
        setup.number(CURLOPT_CONNECTTIMEOUT, connectTimeoutSeconds)
        setup.number(CURLOPT_NOSIGNAL, 1)
        // If the request is aborted, libcurl does not wait for a thread of its own that is still looking up the host.
        setup.number(CURLOPT_QUICK_EXIT, 1)
        setup.status(
            curl_set_socket_options(setup.handle) { _, socket, _ in
                UnsentBytes.discardOnClose(of: socket)
                return CInt(CURL_SOCKOPT_OK)
            })
    }

    private static func applyCredentials(_ credentials: Credentials, _ setup: Setup) {
        if let token = credentials.token {
            setup.number(CURLOPT_HTTPAUTH, curl_auth_bearer)
            setup.text(CURLOPT_XOAUTH2_BEARER, token)
        } else if let user = credentials.user {
            setup.number(CURLOPT_HTTPAUTH, curl_auth_basic)
            setup.text(CURLOPT_USERNAME, user)
            setup.text(CURLOPT_PASSWORD, credentials.password ?? "")
        }
    }

    private static func applyTLS(_ files: PublisherSettings.TLSFiles, _ setup: Setup) {
        setup.number(CURLOPT_SSLVERSION, curl_tls_1_2)
        setup.number(CURLOPT_SSL_VERIFYPEER, 1)
        setup.number(CURLOPT_SSL_VERIFYHOST, 2)
        if let authorities = files.authorities {
            // Instead of the system's authorities, which libcurl would otherwise also look for in their folder.
            setup.text(CURLOPT_CAPATH, nil)
            setup.text(CURLOPT_CAINFO, authorities)
        }
        guard let certificate = files.certificate else { return }
        setup.text(CURLOPT_SSLCERT, certificate)
        // Otherwise OpenSSL would ask for a passphrase on a terminal, and there is none.
        setup.text(CURLOPT_KEYPASSWD, "")
        if let key = files.key { setup.text(CURLOPT_SSLKEY, key) }
    }
}

/// A handle that is being set up, with the first error.
private final class Setup {
    let handle: UnsafeMutableRawPointer
    private(set) var failure: CURLcode?

    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    func number(_ option: CURLoption, _ value: Int) { status(curl_set_number(handle, option, value)) }

    func text(_ option: CURLoption, _ value: String?) { status(curl_set_text(handle, option, value)) }

    func status(_ status: CURLcode) {
        if failure == nil, status != CURLE_OK { failure = status }
    }
}
