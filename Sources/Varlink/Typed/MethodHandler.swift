/// A method of `Interface` and what answers its calls: a row of the table that a service is made of.
public struct MethodHandler<Interface: VarlinkInterface> {
    let name: String
    let handle: VarlinkService.Handler

    /// - Parameter answer: Answers a call with those parameters, at once or later; a thrown error is the answer.
    ///   The parameters are those of the definition; a method that ``VarlinkMethod/requiresMore`` is called with `more`.
    public init<Method: VarlinkMethod>(
        _ method: Method.Type, answer: @escaping (Call<Method>, Method.Parameters) throws(VarlinkError) -> Void
    ) where Method.Interface == Interface {
        name = method.name
        handle = { (call) throws(VarlinkError) in
            if method.requiresMore { try call.requireMore() }
            try answer(Call(call), try call.parameters(as: Method.Parameters.self))
        }
    }
}

extension VarlinkService.Interface {
    /// The interface whose methods these are. Throws an error of its definition's syntax.
    public init<Interface: VarlinkInterface>(_ methods: [MethodHandler<Interface>]) throws {
        self.init(
            try InterfaceDescription(parsing: Interface.definition),
            handlers: Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0.handle) }))
    }
}
