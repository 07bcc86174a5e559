internal import Bytewise

/// The interfaces of a service, with the handlers of their methods.
///
/// Every service also has `org.varlink.service`. A service, its handlers and everything passed to them are confined to
/// the event loop of the ``VarlinkServer``. Handlers that are created inside an actor on that loop's executor may use
/// the actor's state directly.
public struct VarlinkService {
    /// A closure that answers one call, at once or later. A thrown error is the answer.
    public typealias Handler = (AnyCall) throws(VarlinkError) -> Void

    /// An interface with the handlers of its methods.
    public struct Interface {
        /// The definition that calls are checked against.
        public let description: InterfaceDescription
        /// Returns the definition's text, which callers can read. It is not kept: hardly any caller does.
        fileprivate let text: () -> String
        fileprivate let handlers: [String: Handler]

        /// Creates an interface.
        ///
        /// - Parameters:
        ///   - description: The definition, which callers can read.
        ///   - handlers: The handlers by method name, without the interface's. The description must contain each of
        ///     these methods. A method without a handler is answered with MethodNotImplemented.
        public init(_ description: InterfaceDescription, handlers: [String: Handler]) {
            self.init(description, text: { description.text }, handlers: handlers)
        }

        /// Creates an interface whose description does not keep its text.
        init(_ description: InterfaceDescription, text: @escaping () -> String, handlers: [String: Handler]) {
            for name in handlers.keys {
                precondition(description.method(name) != nil, "\(description.name) has no method \(name)")
            }
            self.description = description
            self.text = text
            self.handlers = handlers
        }
    }

    private let interfaces: [BytewiseString: Interface]

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - vendor: GetInfo's `vendor`.
    ///   - product: GetInfo's `product`.
    ///   - version: GetInfo's `version`.
    ///   - url: GetInfo's `url`.
    ///   - interfaces: The interfaces besides `org.varlink.service`, in the order GetInfo lists them.
    public init(vendor: String, product: String, version: String, url: String, interfaces: [Interface]) {
        let info = ServiceInterface.Info(
            vendor: vendor, product: product, version: version, url: url,
            interfaces: [ServiceInterface.description.name] + interfaces.map(\.description.name))
        var texts: [BytewiseString: () -> String] = [:]
        for interface in interfaces { texts[BytewiseString(interface.description.name)] = interface.text }
        let all = [ServiceInterface.interface(info: info, texts: texts)] + interfaces
        self.interfaces = Dictionary(all.map { (BytewiseString($0.description.name), $0) }) { first, _ in first }
    }

    /// Resolves and validates a request. Returns its interface, its method and the handler of the method.
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
