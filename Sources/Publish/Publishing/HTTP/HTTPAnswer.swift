internal import JSON

/// An HTTP server's answer to a request with reports.
package struct HTTPAnswer: Sendable, Equatable {
    /// The status code.
    package var status: Int
    /// The body, up to a maximum size.
    package var body: [UInt8]
    /// The number of seconds to wait before the next request (`Retry-After`), or `nil` if the server names none.
    package var retryAfter: Int?
    /// The address that the server redirects to, or `nil` if it does not.
    package var location: String?

    /// Creates an answer.
    package init(status: Int, body: [UInt8] = [], retryAfter: Int? = nil, location: String? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
        self.location = location
    }
}

/// The meaning of a server's answer for the reports sent to it. The texts never contain anything from the reports.
package enum HTTPVerdict: Sendable, Equatable {
    /// The server has accepted the reports.
    case accepted
    /// The server will never accept these reports.
    case refused(String)
    /// The server accepts no reports at the moment, or its answer is unreliable: they are sent again.
    ///
    /// - Parameter pauseSeconds: The minimum time until then, if the server has named one.
    case unavailable(String, pauseSeconds: Int?)
    /// The server fails at these reports, or at all reports: they are sent again.
    ///
    /// - Parameter pauseSeconds: As for ``unavailable(_:pauseSeconds:)``.
    case serverError(String, pauseSeconds: Int?)
    /// The server accepts no reports from this machine: the configuration or the server must be changed.
    case stopped(String)
}

/// The required content of a successful answer, as evidence that it comes from the server.
package enum AnswerRule: Sendable, Equatable {
    /// Anything but a page: servers of OsmAnd's protocol answer with nothing or a few words.
    case noPage
    /// JSON or nothing, as OwnTracks servers answer (owntracks.org/booklet/tech/http).
    case json
    /// The JSON `{"result": "ok"}`, as Overland servers answer (overland.p3k.app).
    case resultOK

    /// The maximum pause that a server may ask for, in seconds.
    package static let greatestPause = 3600

    /// Returns the verdict on an answer.
    package func verdict(on answer: HTTPAnswer) -> HTTPVerdict {
        switch answer.status {
        case 200..<300: success(answer)
        case 300..<400: .stopped(Self.redirection(answer))
        case 401, 403:
            .stopped(
                "the server does not authorize this machine (status \(answer.status)): check the credentials of the "
                    + "service and the server's rules")
        case 407: verdict(ofProxy: answer.status)
        case 404, 405, 410:
            .stopped(
                "the server accepts no reports at this address (status \(answer.status)): check the path of broker")
        case 408, 425, 429:
            .unavailable("the server asks to be left alone (status \(answer.status))", pauseSeconds: Self.pause(answer))
        case 400..<500: .refused("status \(answer.status)")
        case 500..<600: .serverError("the server fails with status \(answer.status)", pauseSeconds: Self.pause(answer))
        default: .unavailable("the server has sent something that is not HTTP", pauseSeconds: nil)
        }
    }

    /// Returns the verdict on a proxy's refusal to connect to the server: nothing was sent to the server.
    package func verdict(ofProxy status: Int) -> HTTPVerdict {
        status == 407
            ? .stopped("the proxy does not authorize this machine (status 407): check the proxy's address")
            : .unavailable("the proxy does not connect to the server (status \(status))", pauseSeconds: nil)
    }

    /// Attack: the network's login page, or a host that impersonates the server over `http://`, answers 200 to
    /// everything, and the reports are lost.
    private func success(_ answer: HTTPAnswer) -> HTTPVerdict {
        let isConfirmed =
            switch self {
            case .noPage: answer.body.first { !Self.isSpace($0) } != UInt8(ascii: "<")
            case .json: answer.body.isEmpty || Self.isJSON(answer.body)
            case .resultOK: (try? JSONValue(parsing: answer.body.span))?["result"]?.string == "ok"
            }
        return isConfirmed
            ? .accepted
            : .unavailable(
                "the answer with status \(answer.status) is not that of a server for this format: check the address, "
                    + "and whether the network has a login page", pauseSeconds: nil)
    }

    /// Returns whether a text begins as an object or an array. Its end may have been cut off: OwnTracks servers answer
    /// with other people's locations and pictures.
    private static func isJSON(_ body: [UInt8]) -> Bool {
        let first = body.first { !isSpace($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    private static func pause(_ answer: HTTPAnswer) -> Int? {
        answer.retryAfter.map { min(max($0, 0), greatestPause) }
    }

    /// Redirections are not followed: they may lead to another host, or to one without encryption.
    private static func redirection(_ answer: HTTPAnswer) -> String {
        // Without path and query: a server could copy the reports' contents into the log.
        let slashes = (answer.location ?? "").utf8.prefix { (0x21...0x7e).contains($0) }
        let parts = slashes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).prefix(3)
        let target = String(decoding: Array(parts.joined(separator: [UInt8(ascii: "/")])).prefix(200), as: UTF8.self)
        let place = target.isEmpty ? "elsewhere" : "to \(target)"
        return
            "the server redirects \(place) (status \(answer.status)), which is not followed: if it is right, make it "
            + "the address of broker"
    }
}
