internal import LocationProtocol

/// The source of locations with ``LocationClient/Options``. The limits on a stream count from its beginning, across all
/// reconnections.
struct UpdatesSource: StreamSource {
    typealias Called = Subscribe

    private var options: LocationClient.Options
    /// The time of the first call, in seconds after the stream began.
    private var beginning: Double?

    init(_ options: LocationClient.Options) {
        self.options = options
    }

    mutating func parameters(after seconds: Double) -> Subscribe.Parameters? {
        guard let beginning else {
            beginning = seconds
            return .init(options: options)
        }
        var rest = options
        if options.maximumUpdates == 0 { return nil }
        if let duration = options.duration {
            guard beginning + duration > seconds else { return nil }
            rest.duration = beginning + duration - seconds
        }
        return .init(options: rest)
    }

    mutating func element(of reply: Subscribe.Reply) -> LocationUpdate? {
        if reply.update?.event == .location, let maximum = options.maximumUpdates {
            options.maximumUpdates = maximum - 1
        }
        return reply.update.flatMap(LocationUpdate.init)
    }

    func authorization(in reply: Subscribe.Reply) -> AuthorizationState? { reply.update?.authorization }

    func element(of notice: StreamNotice) -> LocationUpdate? { LocationUpdate(notice) }
}

extension LocationUpdate {
    /// Translates an update, or returns `nil` if it lacks its event's value.
    init?(_ update: LocationProtocol.Update) {
        switch update.event {
        case .location:
            guard let location = update.location else { return nil }
            self = .location(location)
        case .paused: self = .paused(last: update.location)
        case .resumed: self = .resumed
        case .suspended: self = .suspended
        case .unsuspended: self = .unsuspended
        case .receiverLost: self = .receiverLost
        case .receiverFound: self = .receiverFound
        case .authorizationChanged:
            guard let authorization = update.authorization else { return nil }
            self = .authorizationChanged(authorization)
        }
    }

    init(_ notice: StreamNotice) {
        switch notice {
        case .disconnected: self = .disconnected
        case .reconnected: self = .reconnected
        case .authorizationChanged(let authorization): self = .authorizationChanged(authorization)
        }
    }
}
