internal import Bytewise

/// The interface `org.varlink.service` of every service.
enum ServiceInterface {
    struct Info: Codable {
        var vendor: String
        var product: String
        var version: String
        var url: String
        var interfaces: [String]
    }

    struct Description: Codable {
        var description: String
    }

    static func interface(info: Info, texts: [BytewiseString: () -> String]) -> VarlinkService.Interface {
        var texts = texts
        texts[BytewiseString(description.name)] = { text }
        return VarlinkService.Interface(
            description, text: { text },
            handlers: [
                "GetInfo": { call in call.reply(info) },
                "GetInterfaceDescription": { [texts] (call) throws(VarlinkError) in
                    let name = call.parameters["interface"]?.string ?? ""
                    guard let text = texts[BytewiseString(name)] else { throw .interfaceNotFound(name) }
                    call.reply(Description(description: text()))
                },
            ])
    }

    static let description = try! InterfaceDescription(parsing: text, keepsText: false)

    private static let text = """
        # The interface that every Varlink service has.
        interface org.varlink.service

        # Replies with the maker, product and version of the service, and the names of its interfaces.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Replies with the text of an interface's definition.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service has no such interface.
        error InterfaceNotFound (interface: string)

        # The interface has no such method.
        error MethodNotFound (method: string)

        # The interface has the method, but this service does not implement it.
        error MethodNotImplemented (method: string)

        # The parameter is missing, unknown, or not of its type.
        error InvalidParameter (parameter: string)

        # The caller may not do this.
        error PermissionDenied ()

        # The method replies more than once, and was called without more.
        error ExpectedMore ()

        """
}
