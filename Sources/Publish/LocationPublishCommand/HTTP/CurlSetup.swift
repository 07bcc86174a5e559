internal import CCurl
internal import LocationModel
internal import Publishing

/// The settings of a handle of libcurl before its first request.
enum CurlSetup {
    /// The timeout of connecting, TLS and looking up the host included, in seconds.
    static let connectTimeoutSeconds = 30

    /// Applies the settings. Returns libcurl's error, or `nil` if there is none.
    ///
    /// - Parameter fields: The lines of the header besides those of libcurl. They are to live as long as the handle.
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
        // An empty text: without it libcurl uses the proxies that the environment names.
        if !settings.usesEnvironmentProxy { setup.text(CURLOPT_PROXY, "") }
        return setup.failure
    }

    private static func applyLimits(_ setup: Setup) {
        // Attack: a server names a file, or another server, as the place of the answer.
        setup.text(CURLOPT_PROTOCOLS_STR, "http,https")
        setup.number(CURLOPT_FOLLOWLOCATION, 0)
        // One request at a time needs no more, and nobody else's streams arrive.
        setup.number(CURLOPT_HTTP_VERSION, curl_http_1_1)
        setup.number(CURLOPT_CONNECTTIMEOUT, connectTimeoutSeconds)
        setup.number(CURLOPT_NOSIGNAL, 1)
        // A host's name that is being looked up by a thread of libcurl's is not waited for when the request is given
        // up.
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
            // Instead of the system's, which libcurl would look for in its folder as well.
            setup.text(CURLOPT_CAPATH, nil)
            setup.text(CURLOPT_CAINFO, authorities)
        }
        guard let certificate = files.certificate else { return }
        setup.text(CURLOPT_SSLCERT, certificate)
        // Not asked for on a terminal: there is none.
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
