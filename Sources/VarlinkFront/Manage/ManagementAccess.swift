internal import AuthorizationPolicy
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// The rules of `io.locationd.Manage`: who may manage whom.
///
/// The socket's mode says who may connect, and ``Managers`` which of their programs.
struct ManagementAccess {
    /// Who manages every user: root, and the daemon's own user, who owns the database.
    let administrators: Set<UInt32>
    let broker: AuthorizationBroker

    /// A user who manages apps, and whose.
    struct Manager {
        /// Who calls.
        let uid: UInt32
        let isAdministrator: Bool
        /// Whose apps are managed; `nil` for all users'.
        let managed: UInt32?

        /// Returns whether the apps of user `uid` are among those that are managed.
        func manages(_ uid: UInt32) -> Bool { managed == nil || managed == uid }
    }

    /// Everybody.
    func anyone<Parameters>(_ caller: Caller, _: Parameters) -> Manager {
        manager(caller, of: isAdministrator(caller) ? nil : caller.uid)
    }

    /// Administrators.
    func administrator<Parameters>(_ caller: Caller, _: Parameters) throws(VarlinkError) -> Manager {
        guard isAdministrator(caller) else { throw .permissionDenied }
        return manager(caller, of: nil)
    }

    /// Everybody for themselves, an administrator for the user that the call names.
    func user(_ caller: Caller, _ parameters: some NamesUser) throws(VarlinkError) -> UInt32 {
        guard let named = parameters.uid else { return caller.uid }
        guard let user = UInt32(exactly: named) else { throw .invalidParameter("uid") }
        guard user == caller.uid || isAdministrator(caller) else { throw .permissionDenied }
        return user
    }

    /// Everybody for themselves, an administrator for the user that the call names; for all if it names none.
    func users(_ caller: Caller, _ parameters: some NamesUser) throws(VarlinkError) -> Manager {
        let isForAll = parameters.uid == nil && isAdministrator(caller)
        return manager(caller, of: isForAll ? nil : try user(caller, parameters))
    }

    /// Everybody for their own switch, an administrator for that of the user that the call names, or of the machine.
    func switchable(_ caller: Caller, _ parameters: SetServices.Parameters) throws(VarlinkError) -> UInt32 {
        if parameters.machine == true, !isAdministrator(caller) { throw .permissionDenied }
        return try user(caller, parameters)
    }

    /// Everybody for an app of theirs, an administrator for any. A system service serves the whole machine: one user's word
    /// is not enough for it.
    func app(_ caller: Caller, _ parameters: some NamesApp) throws(VarlinkError) -> AppKey {
        guard let identity = AppIdentity(parameters.app) else { throw .manage(.invalidApp(app: parameters.app)) }
        let uid = try user(caller, parameters)
        if identity.kind == .service, !isAdministrator(caller) { throw .permissionDenied }
        return AppKey(uid: uid, app: identity)
    }

    /// Everybody for the prompts about their apps, an administrator for any. To others there is no such prompt.
    func prompt(_ caller: Caller, _ parameters: AnswerPrompt.Parameters) throws(VarlinkError) -> Question {
        guard let id = UInt64(exactly: parameters.id),
            let question = broker.machine.questions.first(where: { $0.id == id }),
            question.app.uid == caller.uid || isAdministrator(caller)
        else { throw .manage(.noSuchPrompt(id: parameters.id)) }
        if question.app.app.kind == .service, !isAdministrator(caller) { throw .permissionDenied }
        return question
    }

    private func isAdministrator(_ caller: Caller) -> Bool { administrators.contains(caller.uid) }

    private func manager(_ caller: Caller, of managed: UInt32?) -> Manager {
        Manager(uid: caller.uid, isAdministrator: isAdministrator(caller), managed: managed)
    }
}
