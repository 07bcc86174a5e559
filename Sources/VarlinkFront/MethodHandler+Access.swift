internal import LocationCore
internal import LocationProtocol
internal import Varlink

/// Who makes a call.
struct Caller {
    let connection: Connection

    var uid: UInt32 { connection.peer.uid }
}

extension MethodHandler {
    /// A row of an interface's table: a method, who may call it, and what answers it.
    ///
    /// Attack: a method that is added without a look at who calls it. So a handler works on what its rule returns, and on
    /// nothing that it would have to check itself.
    ///
    /// - Parameters:
    ///   - rule: Returns what the caller may have the call be about, or throws what the caller is answered.
    ///   - answer: Answers the call, given its parameters and what the rule has returned.
    init<Method: VarlinkMethod, Subject>(
        _ method: Method.Type, _ rule: @escaping (Caller, Method.Parameters) throws(VarlinkError) -> Subject,
        _ answer: @escaping (Call<Method>, Method.Parameters, Subject) throws(VarlinkError) -> Void
    ) where Method.Interface == Interface {
        self.init(method) { (call, parameters) throws(VarlinkError) in
            try answer(call, parameters, try rule(Caller(connection: call.connection), parameters))
        }
    }
}
