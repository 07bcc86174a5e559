internal import Publishing

/// The settings of the requests to an HTTP server.
struct HTTPSettings: Sendable {
    var form: RequestForm
    var tls: PublisherSettings.TLSFiles
    var credentials: Credentials
    /// A Boolean value indicating whether to use the environment's proxies: curl(1), ENVIRONMENT.
    var usesEnvironmentProxy: Bool
    /// The timeout of a whole request, in seconds. A server cannot extend it by answering byte by byte.
    var requestTimeoutSeconds = 60

    /// Derives the settings from the publisher's.
    init(_ settings: PublisherSettings, credentials: Credentials) {
        form = RequestForm(settings)
        tls = settings.tls
        tls.key = settings.tls.key ?? credentials.keyFile
        self.credentials = credentials
        usesEnvironmentProxy = settings.usesEnvironmentProxy
    }
}
