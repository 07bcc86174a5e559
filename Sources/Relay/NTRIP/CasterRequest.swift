internal import FoundationEssentials

/// The name and the password for a caster.
package struct CasterCredentials: Sendable, Equatable {
    package let user: String
    package let password: String

    package init(user: String, password: String) { (self.user, self.password) = (user, password) }
}

/// The requests to a caster: RTCM 10410.1, section 2. Casters of version 1.0 answer them as well.
package enum CasterRequest {
    /// Returns the request for a mount point, or for the source table if `mount` is `nil`.
    ///
    /// The credentials are sent at once: some casters' tables do not say that they want them.
    package static func bytes(
        mount: String?, at address: CasterAddress, version: String, credentials: CasterCredentials?
    ) -> [UInt8] {
        var lines = [
            "GET /\(mount ?? "") HTTP/1.1", "Host: \(address.authority)",
            "Ntrip-Version: Ntrip/2.0", "User-Agent: NTRIP locationd-ntrip/\(version)", "Accept: */*",
        ]
        if let credentials {
            let secret = Data("\(credentials.user):\(credentials.password)".utf8).base64EncodedString()
            lines.append("Authorization: Basic \(secret)")
        }
        lines += ["Connection: close", "", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}
