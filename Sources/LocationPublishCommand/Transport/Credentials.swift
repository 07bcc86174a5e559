/// What the service manager passes to the service: systemd.exec(5).
package struct Credentials: Sendable, Equatable {
    var user: String?
    var password: String?
    /// The path of the private key of the client's certificate.
    var keyFile: String?
    /// The secret that encrypts the queue, or `nil` for a queue in the clear.
    var queueSecret: [UInt8]?

    /// Creates credentials, of which each may be missing.
    package init(
        user: String? = nil, password: String? = nil, keyFile: String? = nil, queueSecret: [UInt8]? = nil
    ) {
        self.user = user
        self.password = password
        self.keyFile = keyFile
        self.queueSecret = queueSecret
    }
}
