internal import Authorization
internal import Glibc
internal import LocationProtocol
internal import Varlink

extension LocationError {
    /// What `error`, which came while talking to the socket at `path`, means.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as LocationError: self = error
        case let error as VarlinkError: self.init(error)
        case VarlinkClientError.notReachable(let path, let errno):
            self = .daemonUnreachable(path: path, reason: String(cString: strerror(errno)))
        case VarlinkClientError.closed:
            self = .daemonUnreachable(path: path, reason: "the connection was closed")
        case VarlinkClientError.malformed(let what): self = .protocolViolation(what)
        default: self = .protocolViolation("\(error)")
        }
    }

    /// The interface's errors, and those of every Varlink service.
    init(_ error: VarlinkError) {
        func text(_ name: String) -> String { error.parameters[name]?.string ?? "" }
        let prefix = LocationInterface.name + "."
        let name = error.name.hasPrefix(prefix) ? String(error.name.dropFirst(prefix.count)) : error.name
        self =
            switch name {
            case "NotAuthorized":
                AuthorizationStatus(rawValue: text("status")).map(LocationError.notAuthorized)
                    ?? .protocolViolation("\(error)")
            case "ServicesDisabled": .servicesDisabled
            case "LocationUnknown": .locationUnknown
            case "UsageDescriptionMissing": .usageDescriptionMissing
            case "PromptDeclined": .promptDeclined
            case "TooManyRegions": .tooManyRegions
            case "RegionMonitoringDenied": .regionMonitoringDenied
            case "WakeRefused": .wakeRefused(reason: text("reason"))
            case "HeadingUnavailable": .headingUnavailable
            case "StoreFailed": .storeFailed(reason: text("reason"))
            case "LimitExceeded": .limitExceeded(limit: text("limit"))
            case "org.varlink.service.InvalidParameter": .invalidParameter(text("parameter"))
            default: .protocolViolation("\(error)")
            }
    }

    /// What the one reply of a call tells.
    static func result<Reply: Decodable>(
        of reply: Result<JSONValue?, any Error>, path: String
    ) -> Result<Reply, LocationError> {
        do {
            guard let value = try reply.get() else { throw VarlinkClientError.closed }
            return .success(try value.decoded(as: Reply.self))
        } catch {
            return .failure(LocationError(error, path: path))
        }
    }
}
