internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import Varlink

extension LocationError {
    /// Translates an error that occurred on a connection to the socket at `path`.
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

    /// Translates an error of the interface or of any Varlink service.
    init(_ error: VarlinkError) {
        self =
            switch LocationFailure(error) {
            case .notAuthorized(let status): .notAuthorized(status)
            case .servicesDisabled: .servicesDisabled
            case .locationUnknown: .locationUnknown
            case .usageDescriptionMissing: .usageDescriptionMissing
            case .promptDeclined: .promptDeclined
            case .tooManyRegions: .tooManyRegions
            case .regionMonitoringDenied: .regionMonitoringDenied
            case .wakeRefused(let reason): .wakeRefused(reason: reason)
            case .headingUnavailable: .headingUnavailable
            case .storeFailed(let reason): .storeFailed(reason: reason)
            case .limitExceeded(let limit): .limitExceeded(limit: limit)
            case nil: Self.ofEveryService(error)
            }
    }

    private static func ofEveryService(_ error: VarlinkError) -> LocationError {
        guard error.name == VarlinkError.invalidParameter("").name else { return .protocolViolation("\(error)") }
        return .invalidParameter(error.parameters["parameter"]?.string ?? "")
    }

    /// Decodes the only reply of a call.
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
