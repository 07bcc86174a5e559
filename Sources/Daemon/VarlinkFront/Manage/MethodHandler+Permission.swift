internal import LocationCore
internal import LocationProtocol
internal import Varlink

/// The permission that a call of a method needs, besides the rule about the users that the caller may manage.
struct MethodPermission {
    let permission: ManagementPermission
    let managers: Managers
}

extension MethodHandler where Interface == ManageInterface {
    /// Creates a row of the table: a method, the permission that a call needs, the rule for who may call it about whom,
    /// and the function that answers it.
    ///
    /// Attack: every process may connect, and calls a method that was added without a check. So each row has a
    /// permission, and neither the rule nor the function runs before the caller has it.
    init<Method: VarlinkMethod, Subject>(
        _ method: Method.Type, _ needed: MethodPermission,
        _ rule: @escaping (Caller, Method.Parameters) throws(VarlinkError) -> Subject,
        _ answer: @escaping (Call<Method>, Method.Parameters, Subject) throws(VarlinkError) -> Void
    ) where Method.Interface == Interface {
        self.init(method) { (call, parameters) in
            let mayAskUser = (parameters as? any AuthenticationParameters)?.allowInteractiveAuthentication ?? true
            needed.managers.authorize(needed.permission, for: call.connection, mayAskUser: mayAskUser) { refusal in
                guard !call.isEnded else { return }
                do throws(VarlinkError) {
                    if let refusal { throw VarlinkError(refusal, needed.permission) }
                    try answer(call, parameters, try rule(Caller(connection: call.connection), parameters))
                } catch {
                    call.fail(error)
                }
            }
        }
    }

    /// Creates a row for a method that only administrators may call. polkit is not asked about other users.
    init<Method: VarlinkMethod>(
        _ method: Method.Type, administratorsOf access: ManagementAccess,
        _ answer: @escaping (Call<Method>, Method.Parameters, ManagementAccess.Manager) throws(VarlinkError) -> Void
    ) where Method.Interface == Interface {
        self.init(method) { (call, parameters) throws(VarlinkError) in
            try answer(call, parameters, try access.administrator(Caller(connection: call.connection), parameters))
        }
    }
}

extension VarlinkError {
    /// Creates the error for a caller without a permission.
    init(_ refusal: ManagementRefusal, _ permission: ManagementPermission) {
        let action: ManagementAction =
            switch permission {
            case .answer: .answer
            case .manage: .manage
            }
        self =
            switch refusal {
            case .refused: .manage(.notAuthorized(action: action, reason: .refused))
            case .authenticationNeeded: .manage(.notAuthorized(action: action, reason: .authenticationNeeded))
            case .unavailable: .manage(.notAuthorized(action: action, reason: .unavailable))
            case .limitExceeded(let limit): .manage(.limitExceeded(limit: limit))
            }
    }
}
