internal import Bus
internal import Bytewise

/// An object that was called.
enum BusObject {
    case manager
    case client(ClientObject)
    case location(LocationObject)
    /// A parent of the manager, with a child of that name.
    case parent(child: String)

    /// The object's own interface, or `nil` if it has none.
    var interface: InterfaceDefinition? {
        switch self {
        case .manager: .manager
        case .client: .client
        case .location: .location
        case .parent: nil
        }
    }

    /// The object's own interface and the interfaces of every object.
    private var interfaces: [InterfaceDefinition] {
        [interface, .properties, .introspectable, .peer].compactMap(\.self)
    }

    /// The object's introspection data.
    var introspection: String {
        if case .parent(let child) = self { return Introspection.xml(interfaces, child: child) }
        return Introspection.xml(interfaces)
    }

    /// Returns the method of a call and the name of its interface. If the call names no interface, this is the first
    /// one with such a method.
    func method(_ call: MethodCall) throws(BusError) -> (interface: String, method: InterfaceDefinition.Method) {
        if let name = call.interface {
            guard let interface = interfaces.first(where: { $0.name.isBytewiseEqual(to: name) }) else {
                throw .unknownInterface
            }
            guard let method = interface.method(call.member) else { throw .unknownMethod }
            return (interface.name, method)
        }
        for interface in interfaces {
            if let method = interface.method(call.member) { return (interface.name, method) }
        }
        throw .unknownMethod
    }

    /// Returns the interface of that name, for access to its properties. The empty name means the object's own
    /// interface.
    func interface(ofProperties name: String) throws(BusError) -> InterfaceDefinition? {
        if name.isEmpty { return interface }
        guard let interface = interfaces.first(where: { $0.name.isBytewiseEqual(to: name) }) else {
            throw .unknownInterface
        }
        return interface
    }
}
