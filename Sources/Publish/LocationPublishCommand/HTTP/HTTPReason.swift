internal import CCurl
internal import ForeignText
internal import Glibc

/// The text of a request's error, with its remedy. It never contains anything from a report.
enum HTTPReason {
    /// CURLE_TOO_LARGE of libcurl 8.6, libcurl-errors(3).
    private static let tooLarge = CURLcode(rawValue: 100)

    /// Returns the reason for a missing answer.
    ///
    /// - Parameters:
    ///   - errno: The error of the last connect(2), or 0.
    ///   - details: libcurl's description, or an empty string.
    static func failure(_ result: CURLcode, errno: CInt, details: String) -> String {
        let words = ForeignText.line(details.isEmpty ? String(cString: curl_easy_strerror(result)) : details)
        switch result {
        // libcurl 7.88 has no other error for a line of more than 100 kB.
        case CURLE_OUT_OF_MEMORY, tooLarge:
            return "the header of the server's answer is too long, or there is no memory"
        case CURLE_COULDNT_RESOLVE_HOST: return "the name of the server's host cannot be looked up"
        case CURLE_COULDNT_RESOLVE_PROXY: return "the name of the proxy's host cannot be looked up"
        case CURLE_COULDNT_CONNECT: return errno == 0 ? words : String(cString: strerror(errno))
        case CURLE_OPERATION_TIMEDOUT: return "the server does not answer in time"
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CACERT_BADFILE:
            return "TLS failed: \(words); check the server's certificate, its name and the authorities in [tls] ca"
        case CURLE_SSL_CERTPROBLEM:
            return "TLS failed: \(words); check the certificate and the key in [tls], or the credential tls-key"
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE:
            return "the server closed the connection before it had answered"
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return "the server has sent something that is not HTTP"
        default: return words
        }
    }

    /// Returns the problem with a libcurl that does not use OpenSSL for TLS, or `nil` if it does. The files of `[tls]`
    /// and the advice about them assume OpenSSL.
    ///
    /// - Parameter library: libcurl's name for its TLS: `ssl_version` of curl_version_info(3), which has unused
    ///   libraries in parentheses.
    static func libraryProblem(_ library: String?) -> String? {
        let used = (library ?? "").split(separator: " ").filter { !$0.hasPrefix("(") }
        guard !used.contains(where: { $0.hasPrefix("OpenSSL/") }) else { return nil }
        let found = used.isEmpty ? "no TLS" : "TLS of " + used.joined(separator: " ")
        return
            "libcurl has \(found), not of OpenSSL, which locationd-publish needs for https: install Debian's libcurl4"
    }

    /// Returns the problem with the libcurl of this process, or `nil` if there is none.
    static func libraryProblem() -> String? {
        libraryProblem(curl_tls_library().map { String(cString: $0) })
    }
}
