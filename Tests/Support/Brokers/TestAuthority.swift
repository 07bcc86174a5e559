import Foundation

/// A certificate authority for one test, made by openssl(1).
package struct TestAuthority {
    static let executable = "/usr/bin/openssl"

    private let folder: TemporaryFolder

    /// The path of the authority's certificate.
    package var certificate: String { folder.path + "/ca.pem" }

    /// Creates an authority with its files in the folder.
    package init(in folder: TemporaryFolder) async throws {
        self.folder = folder
        try await openssl(
            Self.newKey + [
                "-keyout", folder.path + "/ca.key", "-out", folder.path + "/ca.pem", "-subj", "/CN=Test authority",
            ])
    }

    /// Issues a certificate. Returns the paths of certificate and private key.
    ///
    /// - Parameters:
    ///   - alternativeName: The subject alternative name, such as `IP:127.0.0.1`.
    ///   - isExpired: `true` for a certificate that was valid until yesterday.
    package func issue(
        _ name: String, alternativeName: String, isExpired: Bool = false
    ) async throws -> (certificate: String, key: String) {
        let (certificate, key) = ("\(folder.path)/\(name).pem", "\(folder.path)/\(name).key")
        guard !isExpired else {
            try await issueExpired(name, alternativeName, certificate: certificate, key: key)
            return (certificate, key)
        }
        try await openssl(
            Self.newKey + [
                "-CA", self.certificate, "-CAkey", folder.path + "/ca.key", "-keyout", key, "-out", certificate,
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=\(alternativeName)",
                "-addext", "basicConstraints=CA:FALSE",
            ])
        return (certificate, key)
    }

    /// OpenSSL 3.0's `req` knows no dates: `ca` does.
    private func issueExpired(
        _ name: String, _ alternativeName: String, certificate: String, key: String
    ) async throws {
        let request = "\(folder.path)/\(name).csr"
        try folder.write("", to: "index.txt")
        try folder.write(
            """
            [ca]
            default_ca = test
            [test]
            database = \(folder.path)/index.txt
            new_certs_dir = \(folder.path)
            rand_serial = yes
            default_md = sha256
            policy = any
            [any]
            commonName = supplied
            [extensions]
            subjectAltName = \(alternativeName)

            """, to: "ca.conf")
        try await openssl(
            Self.newKey.filter { $0 != "-x509" && $0 != "-days" && $0 != "2" } + [
                "-keyout", key, "-out", request, "-subj", "/CN=\(name)",
            ])
        try await openssl([
            "ca", "-batch", "-notext", "-config", folder.path + "/ca.conf", "-extensions", "extensions", "-cert",
            self.certificate, "-keyfile", folder.path + "/ca.key", "-in", request, "-out", certificate, "-startdate",
            "20240101000000Z", "-enddate", "20240201000000Z",
        ])
    }

    private static let newKey = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
    ]

    private func openssl(_ arguments: [String]) async throws {
        let result = try await Program.run(Self.executable, arguments)
        guard result.status == 0 else { throw Overdue(what: "a certificate: \(result.errors)") }
    }
}

extension TemporaryFolder {
    /// Copies a certificate and its key to `NAME.pem` and `NAME.key`, in place of earlier ones.
    package func copy(_ files: (certificate: String, key: String), to name: String) throws {
        for (file, copy) in [(files.certificate, name + ".pem"), (files.key, name + ".key")] {
            try Data(contentsOf: URL(filePath: file)).write(to: URL(filePath: "\(path)/\(copy)"))
        }
    }
}
