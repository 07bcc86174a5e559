internal import AuthorizationPolicy
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// The rules of `io.locationd.Manage`: which users a caller may manage.
///
/// ``Managers`` determines which of a user's programs may connect, and which of their calls are authorized.
struct ManagementAccess {
    /// The users who manage every user: root, and the daemon's own user, which owns the database.
    let administrators: Set<UInt32>
    let broker: AuthorizationBroker
    let managers: Managers

    /// A user who manages apps, and the users whose apps are managed.
    struct Manager {
        /// The caller.
        let uid: UInt32
        let isAdministrator: Bool
        /// A Boolean value indicating whether the caller may manage without being authorized for each call.
        let isManager: Bool
        /// The user whose apps are managed, or `nil` for all users.
        let managed: UInt32?

        /// A Boolean value indicating whether the caller may receive values that change with the sky or with movement.
        ///
        /// Attack: every program of a user at the machine may list receivers, subscriptions and uses without asking.
        /// From the fixes of a receiver, their accuracy and their satellites it learns to the second when the machine
        /// goes under a roof, and from the deliveries to an app with a distance filter how far it goes.
        var seesMovement: Bool { isAdministrator || isManager }

        /// The same caller, once authorized to manage.
        var asManager: Manager {
            Manager(uid: uid, isAdministrator: isAdministrator, isManager: true, managed: managed)
        }

        /// The same caller, treated as neither an administrator nor a manager.
        var asOther: Manager { Manager(uid: uid, isAdministrator: false, isManager: false, managed: managed) }

        /// Returns whether the apps of user `uid` are managed.
        func manages(_ uid: UInt32) -> Bool { managed == nil || managed == uid }
    }

    /// Permits every caller. A user manages their own apps, an administrator the apps of all users.
    func anyone<Parameters>(_ caller: Caller, _: Parameters) -> Manager {
        manager(caller, of: isAdministrator(caller) ? nil : caller.uid)
    }

    /// Permits administrators.
    func administrator<Parameters>(_ caller: Caller, _: Parameters) throws(VarlinkError) -> Manager {
        guard isAdministrator(caller) else { throw .permissionDenied }
        return manager(caller, of: nil)
    }

    /// Permits all callers for themselves, and an administrator for the user that the call names. Returns that user.
    func user(_ caller: Caller, _ parameters: some UserParameters) throws(VarlinkError) -> UInt32 {
        guard let named = parameters.uid else { return caller.uid }
        guard let user = UInt32(exactly: named) else { throw .invalidParameter("uid") }
        guard user == caller.uid || isAdministrator(caller) else { throw .permissionDenied }
        return user
    }

    /// Permits all callers for themselves, and an administrator for the user that the call names, or for all users.
    func users(_ caller: Caller, _ parameters: some UserParameters) throws(VarlinkError) -> Manager {
        let isForAll = parameters.uid == nil && isAdministrator(caller)
        return manager(caller, of: isForAll ? nil : try user(caller, parameters))
    }

    /// Permits all callers for their own switch, and an administrator for the named user's or the machine's.
    func switchable(_ caller: Caller, _ parameters: SetServices.Parameters) throws(VarlinkError) -> UInt32 {
        if parameters.machine == true, !isAdministrator(caller) { throw .permissionDenied }
        return try user(caller, parameters)
    }

    /// Permits all callers for their own apps, and an administrator for any app. Only an administrator may decide about
    /// a system service, because it serves the whole machine.
    func app(_ caller: Caller, _ parameters: some AppParameters) throws(VarlinkError) -> AppKey {
        try app(parameters.app, caller, parameters)
    }

    /// The scope of a call of ClearPlaces.
    enum Cleared {
        /// The places of a user.
        case places(UInt32)
        /// All that is kept for an app.
        case app(AppKey)
    }

    /// Permits all callers for their own places and apps, and an administrator for any user's.
    func clearable(_ caller: Caller, _ parameters: ClearPlaces.Parameters) throws(VarlinkError) -> Cleared {
        guard let app = parameters.app else { return .places(try user(caller, parameters)) }
        return .app(try self.app(app, caller, parameters))
    }

    private func app(
        _ app: String, _ caller: Caller, _ parameters: some UserParameters
    ) throws(VarlinkError) -> AppKey {
        guard let identity = AppIdentity(app) else { throw .manage(.invalidApp(app: app)) }
        let uid = try user(caller, parameters)
        if identity.kind == .service, !isAdministrator(caller) { throw .permissionDenied }
        return AppKey(uid: uid, app: identity)
    }

    /// Permits all callers for prompts about their own apps, and an administrator for any prompt. For other callers,
    /// the prompt does not exist. Only an administrator may answer for a system service.
    func prompt(_ caller: Caller, _ parameters: AnswerPrompt.Parameters) throws(VarlinkError) -> OpenPrompt {
        guard let id = UInt64(exactly: parameters.id),
            let prompt = broker.machine.prompts.first(where: { $0.id == id }),
            prompt.app.uid == caller.uid || isAdministrator(caller)
        else { throw .manage(.noSuchPrompt(id: parameters.id)) }
        if prompt.app.app.kind == .service, !isAdministrator(caller) { throw .permissionDenied }
        return prompt
    }

    private func isAdministrator(_ caller: Caller) -> Bool { administrators.contains(caller.uid) }

    private func manager(_ caller: Caller, of managed: UInt32?) -> Manager {
        Manager(
            uid: caller.uid, isAdministrator: isAdministrator(caller),
            isManager: managers.isManager(caller.connection), managed: managed)
    }
}
