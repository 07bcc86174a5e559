internal import Bytewise

/// What a service offers: its interfaces, and who answers their methods.
///
/// Every service has `org.varlink.service` besides. A service, its handlers and everything that they are given are
/// confined to the event loop of the ``VarlinkServer``; made inside an actor on that loop's executor, a handler may
/// use the actor's state directly.
public struct VarlinkService {
    /// Answers one call, at once or later; a thrown error is the answer.
    public typealias Handler = (AnyCall) throws(VarlinkError) -> Void

    /// An interface with the handlers of its methods.
    public struct Interface {
        /// Calls are checked against it.
        public let description: InterfaceDescription
        fileprivate let handlers: [String: Handler]

        /// - Parameters:
        ///   - description: The definition that callers get to read.
        ///   - handlers: By the method's name without the interface, each of which the description must have. A
        ///     method without one answers MethodNotImplemented.
        public init(_ description: InterfaceDescription, handlers: [String: Handler]) {
            for name in handlers.keys {
                precondition(description.method(name) != nil, "\(description.name) has no method \(name)")
            }
            self.description = description
            self.handlers = handlers
        }
    }

    private let interfaces: [BytewiseString: Interface]

    /// - Parameters:
    ///   - vendor: GetInfo's `vendor`.
    ///   - product: GetInfo's `product`.
    ///   - version: GetInfo's `version`.
    ///   - url: GetInfo's `url`.
    ///   - interfaces: Besides `org.varlink.service`; GetInfo lists them in this order.
    public init(vendor: String, product: String, version: String, url: String, interfaces: [Interface]) {
        let info = ServiceInterface.Info(
            vendor: vendor, product: product, version: version, url: url,
            interfaces: [ServiceInterface.description.name] + interfaces.map(\.description.name))
        var texts: [BytewiseString: String] = [:]
        for interface in interfaces {
            texts[BytewiseString(interface.description.name)] = interface.description.text
        }
        let all = [ServiceInterface.interface(info: info, texts: texts)] + interfaces
        self.interfaces = Dictionary(all.map { (BytewiseString($0.description.name), $0) }) { first, _ in first }
    }

    /// Resolves and checks a request: the call that it makes, and its handler.
    func handler(
        for request: Request
    ) throws(VarlinkError) -> (interface: InterfaceDescription, method: InterfaceDescription.Method, handler: Handler) {
        guard let dot = request.method.utf8.lastIndex(of: UInt8(ascii: ".")) else { throw .invalidParameter("method") }
        let interfaceName = String(request.method[..<dot])
        guard let interface = interfaces[BytewiseString(interfaceName)] else {
            throw .interfaceNotFound(interfaceName)
        }
        let description = interface.description
        guard let method = description.method(String(request.method[request.method.utf8.index(after: dot)...])) else {
            throw .methodNotFound(request.method)
        }
        guard let handler = interface.handlers[method.name] else { throw .methodNotImplemented(request.method) }
        try description.validate(request.parameters, fields: method.input)
        return (description, method, handler)
    }
}
