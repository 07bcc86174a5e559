internal import Linux
internal import LocationCore
internal import LocationProtocol
internal import Varlink

/// The caller of a method.
struct Caller {
    let connection: Connection

    var uid: UInt32 { connection.peer.uid }
}

extension MethodHandler where Interface == LocationInterface {
    /// Creates a row of an interface's table: a method, the rule for who may call it, and the function that answers it.
    ///
    /// Attack: a method is added without a check of its caller. So a handler works only on the value that its rule
    /// returns, and has nothing to check itself.
    ///
    /// - Parameters:
    ///   - rule: Returns the subject that the caller may access with the call, or throws the error that is the answer.
    ///   - answer: Answers the call, given its parameters and the subject that the rule returned.
    init<Method: VarlinkMethod, Subject>(
        _ method: Method.Type, _ rule: @escaping (Caller, Method.Parameters) throws(VarlinkError) -> Subject,
        _ answer: @escaping (Call<Method>, Method.Parameters, Subject) throws(VarlinkError) -> Void
    ) where Method.Interface == Interface {
        self.init(method) { (call, parameters) throws(VarlinkError) in
            try answer(call, parameters, try rule(Caller(connection: call.connection), parameters))
        }
    }
}
