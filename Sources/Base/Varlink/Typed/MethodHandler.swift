/// A method of `Interface` and the closure that answers its calls: a row in a service's table of methods.
public struct MethodHandler<Interface: VarlinkInterface> {
    let name: String
    let handle: VarlinkService.Handler

    /// Creates the handler of a method.
    ///
    /// - Parameter answer: Answers a call with these parameters, at once or later. A thrown error is the answer. The
    ///   parameters fit the definition, and if the method ``VarlinkMethod/requiresMore``, the caller accepts it.
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
    /// Creates an interface with these methods.
    ///
    /// - Throws: ``InterfaceSyntaxError`` if the definition is invalid.
    public init<Interface: VarlinkInterface>(_ methods: [MethodHandler<Interface>]) throws {
        self.init(
            try InterfaceDescription(parsing: Interface.definition, keepsText: false), text: { Interface.definition },
            handlers: Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0.handle) }))
    }
}
