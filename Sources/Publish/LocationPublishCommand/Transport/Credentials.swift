internal import Foundation
internal import Glibc
internal import Publishing
internal import StateFiles

/// The credentials that the service manager passes to the service: systemd.exec(5).
package struct Credentials: Sendable, Equatable {
    var user: String?
    var password: String?
    /// The token for an HTTP server in place of a user and a password, or `nil` for none.
    var token: String?
    /// The path of the private key of the client's certificate.
    var keyFile: String?
    /// The secret that encrypts the queue, or `nil` for a queue in the clear.
    var queueSecret: [UInt8]?

    /// Creates credentials. Each is optional.
    package init(
        user: String? = nil, password: String? = nil, token: String? = nil, keyFile: String? = nil,
        queueSecret: [UInt8]? = nil
    ) {
        self.user = user
        self.password = password
        self.token = token
        self.keyFile = keyFile
        self.queueSecret = queueSecret
    }
}

extension Credentials {
    /// The error for an unusable credential. It does not contain the credential.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The maximum length of a credential, in bytes: the limit of an MQTT password.
    private static let maximumLength = 65_535

    /// Reads the credentials `user`, `password`, `token`, `tls-key` and `queue-key` from the service manager's folder,
    /// if any. Each is optional.
    init(folder: String?) throws(Failure) {
        guard let folder else { return }
        user = try Self.text("user", in: folder)
        password = try Self.text("password", in: folder)
        token = try Self.text("token", in: folder)
        let key = folder + "/locationd-publish.tls-key"
        if FileManager.default.fileExists(atPath: key) { keyFile = key }
        queueSecret = try Self.secret("queue-key", in: folder)
        if password != nil, user == nil {
            throw Failure(
                description: "there is the credential locationd-publish.password, but not locationd-publish.user")
        }
        if token != nil, user != nil {
            throw Failure(
                description:
                    "there are the credentials locationd-publish.token and locationd-publish.user: leave one out")
        }
    }

    /// The message for a certificate without its key.
    static let missingKey = """
        tls.certificate: its key is missing: name its file in tls.key, or put the key into \
        \(store)/locationd-publish.tls-key
        """
    private static let store = "/etc/credstore"

    /// Returns whether there may be a key among the credentials: it exists, or the caller lacks permission to check.
    static func mayHaveKey(_ environment: [String: String]) -> Bool {
        let folder = environment["CREDENTIALS_DIRECTORY"] ?? store
        return access(folder + "/locationd-publish.tls-key", F_OK) == 0 || errno == EACCES
    }

    /// Throws an error if these credentials do not suit the server, or a certificate lacks its key.
    func check(for settings: PublisherSettings) throws(Failure) {
        if settings.tls.lacksKey, keyFile == nil { throw Failure(description: Self.missingKey) }
        try check(for: settings.broker.scheme)
    }

    /// Throws an error if these credentials do not suit a server with this protocol.
    func check(for scheme: BrokerAddress.Scheme) throws(Failure) {
        guard scheme.isHTTP else {
            guard token != nil else { return }
            throw Failure(
                description: "the credential locationd-publish.token is for http:// and https://, not for \(scheme)://")
        }
        // RFC 7617, 2: the password begins after the first colon.
        if let user, user.contains(":") {
            throw Failure(
                description: "the credential locationd-publish.user contains a colon, which HTTP does not permit")
        }
        // RFC 6750, 2.1. A line break would start another header field.
        if let token, !token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) {
            throw Failure(
                description: "the credential locationd-publish.token has other characters than printable ASCII")
        }
    }

    private static func secret(_ name: String, in folder: String) throws(Failure) -> [UInt8]? {
        guard let bytes = try bytes(name, in: folder) else { return nil }
        let minimum = StateCipher.minimumSecretLength
        guard bytes.count >= minimum else {
            throw Failure(
                description: """
                    the credential locationd-publish.\(name) has \(bytes.count) bytes, and needs \(minimum): make one \
                    with `head -c \(minimum) /dev/urandom`
                    """)
        }
        return bytes
    }

    /// Returns the bytes of a credential, or `nil` if there is none.
    private static func bytes(_ name: String, in folder: String) throws(Failure) -> [UInt8]? {
        let path = "\(folder)/locationd-publish.\(name)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path), data.count <= maximumLength else {
            throw Failure(description: "the credential locationd-publish.\(name) cannot be read, or is too long")
        }
        return Array(data)
    }

    private static func text(_ name: String, in folder: String) throws(Failure) -> String? {
        guard let bytes = try bytes(name, in: folder) else { return nil }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(description: "the credential locationd-publish.\(name) is not text in UTF-8")
        }
        // Editors and echo(1) end a file with a line feed, which is not part of the password.
        if text.hasSuffix("\n") { text.removeLast() }
        guard !text.utf8.contains(0) else {
            throw Failure(description: "the credential locationd-publish.\(name) contains a zero byte")
        }
        return text
    }
}
