internal import Bus
internal import LocationModel

/// A client object: an app's request for locations, with its options.
///
/// A started client follows the authorization of its app until it is stopped. While the app may not have the location,
/// the client is inactive, and it becomes active again without a call.
struct ClientObject {
    /// The state of a client.
    enum Phase: Equatable {
        /// The client was not started, or was stopped.
        case stopped
        /// The user has not decided about the app yet. The client is active, but receives no location.
        case undecided
        /// The subscription is open.
        case delivering
        /// The subscription is open, but delivers nothing until the app is in use again.
        case suspended
        /// The app may not have the location, or the user has closed the prompt. `servicesWereOff` is `true` if
        /// location services were off for its user.
        case refused(servicesWereOff: Bool)
    }

    let id: ClientID
    /// The connection that owns the client.
    let connection: ConnectionID
    private let number: ClientNumber
    let app: AppKey
    private(set) var phase = Phase.stopped
    var options = ClientOptions()
    private(set) var locations = LocationObjects()
    /// The level at the last Start. A change has no effect before the next one.
    private var level = AccuracyLevel(requested: AccuracyLevel.initial)
    /// A Boolean value indicating whether no location has followed the last Start. The first one passes the thresholds:
    /// the portal, which has one client for all of its apps, starts it again for each of them.
    private var awaitsFirst = true

    init(id: ClientID, number: ClientNumber, owner: CallingApp) {
        self.id = id
        self.number = number
        connection = owner.connection
        app = owner.app
    }

    var path: ObjectPath { .client(number) }

    /// A Boolean value indicating whether the client was started and is not known to be refused.
    var isActive: Bool { phase == .undecided || phase == .delivering }

    // MARK: Calls

    /// Starts the client, unless it has been started already.
    ///
    /// - Parameter canBeServed: `false` if there is no receiver, and no place is ever remembered. A program that waits
    ///   would wait until one is plugged in, and the page or the sandboxed app behind it would never get an answer.
    mutating func start(under authorization: Authorization, canBeServed: Bool) -> [Action] {
        awaitsFirst = true
        if isActive { return [.reply([])] }
        guard let label else {
            return [.fail(BusError(.accessDenied, "'DesktopId' property must be set"))]
        }
        if let refusal = BusError(refusing: authorization, to: label, uid: app.uid) { return [.fail(refusal)] }
        if phase == .suspended { return [.reply([])] }
        // Firefox takes AccessDenied for a denial, and any other error for an unavailable position.
        guard canBeServed else { return [.fail(BusError(.failed, "No receiver is connected or configured"))] }
        level = AccuracyLevel(requested: options.requestedLevel)
        return [.reply([])] + begin(authorization)
    }

    /// Stops the client.
    mutating func stop() -> [Action] {
        let wasActive = isActive
        return [.reply([])] + end() + (wasActive ? [changed(active)] : [])
    }

    /// Stops the client without a signal, because it is deleted.
    mutating func end() -> [Action] {
        defer { phase = .stopped }
        switch phase {
        case .undecided: return [.cancelPrompt(id)]
        case .delivering, .suspended: return [.unsubscribe(id)]
        case .stopped, .refused: return []
        }
    }

    // MARK: Authorization

    /// Handles a change of the app's authorization.
    mutating func authorizationChanged(to authorization: Authorization) -> [Action] {
        switch phase {
        case .delivering, .suspended: return []
        case .stopped: return authorization.status.isAuthorized && authorization.accuracy == .full ? [] : forget()
        case .undecided:
            if authorization.status == .notDetermined { return [] }
            if authorization.status.isAuthorized { return [.cancelPrompt(id)] + open() }
            return [.cancelPrompt(id)] + refuse(authorization)
        case .refused(let servicesWereOff):
            if authorization.status.isAuthorized { return begin(authorization) }
            // An app that was reset prompts at its next Start. An app that was waiting for the user still waits.
            if authorization.status == .notDetermined, servicesWereOff { return begin(authorization) }
            phase = .refused(servicesWereOff: !authorization.servicesEnabled)
            return []
        }
    }

    /// Handles a prompt that was closed without a decision or not shown at all. The next Start prompts again.
    mutating func promptDeclined() -> [Action] {
        guard phase == .undecided else { return [] }
        phase = .refused(servicesWereOff: false)
        return [changed(active)]
    }

    /// Handles the end of the subscription, because the app may no longer have the location.
    mutating func subscriptionEnded(under authorization: Authorization) -> [Action] {
        guard phase == .delivering || phase == .suspended else { return [] }
        return refuse(authorization)
    }

    /// Handles the suspension of the subscription, because the app is not in use, or the end of the suspension.
    mutating func setSuspended(_ isSuspended: Bool) -> [Action] {
        guard phase == (isSuspended ? .delivering : .suspended) else { return [] }
        phase = isSuspended ? .suspended : .delivering
        return [changed(active)]
    }

    /// Handles a reduction of the app's accuracy.
    mutating func accuracyReduced() -> [Action] { forget() }

    /// Forgets the locations.
    ///
    /// Attack: the app may no longer have the location, or only with reduced accuracy, and reads an earlier location.
    private mutating func forget() -> [Action] {
        locations.removeAll() ? [changed(currentLocation)] : []
    }

    private mutating func begin(_ authorization: Authorization) -> [Action] {
        guard authorization.status == .notDetermined else {
            let actions = open()
            return [changed(active)] + actions
        }
        phase = .undecided
        return [changed(active), .prompt(id, prompt)]
    }

    private mutating func open() -> [Action] {
        phase = .delivering
        return [.subscribe(id, level.desiredAccuracy)]
    }

    private mutating func refuse(_ authorization: Authorization) -> [Action] {
        let wasActive = isActive
        phase = .refused(servicesWereOff: !authorization.servicesEnabled)
        var properties = wasActive ? [active] : []
        if locations.removeAll() { properties.append(currentLocation) }
        return properties.isEmpty ? [] : [.signal(.changed(properties, of: .client, at: path), to: connection)]
    }

    // MARK: Locations

    /// Handles a location of the subscription.
    mutating func receive(_ location: Location) -> [Action] {
        let last = awaitsFirst ? nil : locations.newest
        guard phase == .delivering, options.thresholds.admit(location, after: last) else { return [] }
        awaitsFirst = false
        let old = locationPath
        _ = locations.add(location)
        let update = BusSignal(
            path: path.text, interface: InterfaceDefinition.client.name, member: "LocationUpdated",
            arguments: [.objectPath(old), .objectPath(locationPath)])
        return [.signal(update, to: connection), changed(currentLocation)]
    }

    // MARK: Properties

    /// The path of the newest location object.
    var locationPath: String {
        locations.newestNumber.map { ObjectPath.location(number, $0).text } ?? ObjectPath.none
    }

    var active: PropertyValue { PropertyValue("Active", .boolean(isActive)) }
    var currentLocation: PropertyValue { PropertyValue("Location", .objectPath(locationPath)) }

    /// Returns the signal that reports a changed property to the owner.
    func changed(_ property: PropertyValue) -> Action {
        .signal(.changed([property], of: .client, at: path), to: connection)
    }

    /// The name of the app in texts, or `nil` if the app still has to set it. A Flatpak's name is not its own choice.
    private var label: String? {
        if app.app.kind == .flatpak { return app.app.name }
        return options.desktopID.flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    private var prompt: PromptRequest {
        PromptRequest(
            // A system service is never in use, so it needs the location in the background.
            level: app.app.kind == .service ? .always : .whenInUse,
            ownWords: DesktopID.ownWords(label ?? ""), prefersReducedAccuracy: level.prefersReducedAccuracy)
    }
}
