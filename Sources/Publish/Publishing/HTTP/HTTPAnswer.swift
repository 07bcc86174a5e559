internal import JSON

/// The answer of an HTTP server to a request with reports.
package struct HTTPAnswer: Sendable, Equatable {
    /// The status code.
    package var status: Int
    /// The content, up to a bound.
    package var body: [UInt8]
    /// The number of seconds for which the server asks to be left alone (`Retry-After`), or `nil` if it does not.
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

/// What a server's answer means for the reports that were sent to it. No text has anything of the reports.
package enum HTTPVerdict: Sendable, Equatable {
    /// The server has the reports.
    case accepted
    /// The server will never accept these reports.
    case refused(String)
    /// The server accepts no reports at the moment, or its answer cannot be relied on: they are sent again.
    ///
    /// - Parameter pauseSeconds: The least time until then, if the server has named one.
    case failed(String, pauseSeconds: Int?)
    /// The server fails at these reports, or at all: they are sent again.
    ///
    /// - Parameter pauseSeconds: As for ``failed(_:pauseSeconds:)``.
    case broken(String, pauseSeconds: Int?)
    /// The server accepts no reports from this machine: the configuration or the server has to be changed.
    case stopped(String)
}

/// What a successful answer has to contain, so that it is known to be the server's.
package enum AnswerRule: Sendable, Equatable {
    /// Anything but a page: the servers of OsmAnd's protocol answer with nothing, or with some words.
    case noPage
    /// JSON or nothing, as the servers of OwnTracks answer (owntracks.org/booklet/tech/http).
    case json
    /// The JSON `{"result": "ok"}`, as the servers of Overland answer (overland.p3k.app).
    case resultOK

    /// The greatest pause that a server may ask for, in seconds.
    package static let greatestPause = 3600

    /// Returns what an answer means.
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
            .failed("the server asks to be left alone (status \(answer.status))", pauseSeconds: Self.pause(answer))
        case 400..<500: .refused("status \(answer.status)")
        case 500..<600: .broken("the server fails with status \(answer.status)", pauseSeconds: Self.pause(answer))
        default: .failed("the server has sent something that is not HTTP", pauseSeconds: nil)
        }
    }

    /// Returns what a proxy's refusal means to connect to the server: nothing was sent to the server.
    package func verdict(ofProxy status: Int) -> HTTPVerdict {
        status == 407
            ? .stopped("the proxy does not authorize this machine (status 407): check the proxy's address")
            : .failed("the proxy does not connect to the server (status \(status))", pauseSeconds: nil)
    }

    /// Attack: the network's login page, or whoever answers in the server's place over `http://`, says 200 to
    /// everything, and the reports are gone.
    private func success(_ answer: HTTPAnswer) -> HTTPVerdict {
        let isConfirmed =
            switch self {
            case .noPage: answer.body.first { !Self.isSpace($0) } != UInt8(ascii: "<")
            case .json: answer.body.isEmpty || Self.isJSON(answer.body)
            case .resultOK: (try? JSONValue(parsing: answer.body.span))?["result"]?.string == "ok"
            }
        return isConfirmed
            ? .accepted
            : .failed(
                "the answer with status \(answer.status) is not that of a server for this format: check the address, "
                    + "and whether the network has a login page", pauseSeconds: nil)
    }

    /// Returns whether a text begins as an object or an array. Its end may have been cut off: the servers of OwnTracks
    /// answer with the locations and pictures of other people.
    private static func isJSON(_ body: [UInt8]) -> Bool {
        let first = body.first { !isSpace($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    private static func pause(_ answer: HTTPAnswer) -> Int? {
        answer.retryAfter.map { min(max($0, 0), greatestPause) }
    }

    /// Nothing follows a redirection: it may lead to another host, or to one without encryption.
    private static func redirection(_ answer: HTTPAnswer) -> String {
        // Without path and query: a server could write into the log what the reports say.
        let slashes = (answer.location ?? "").utf8.prefix { (0x21...0x7e).contains($0) }
        let parts = slashes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).prefix(3)
        let target = String(decoding: Array(parts.joined(separator: [UInt8(ascii: "/")])).prefix(200), as: UTF8.self)
        let place = target.isEmpty ? "elsewhere" : "to \(target)"
        return
            "the server redirects \(place) (status \(answer.status)), which is not followed: if it is right, make it "
            + "the address of broker"
    }
}
