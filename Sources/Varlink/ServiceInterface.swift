/// `org.varlink.service`, which every service has.
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

    static func interface(info: Info, texts: [String: String]) -> VarlinkService.Interface {
        var texts = texts
        texts[description.name] = description.text
        return VarlinkService.Interface(
            description,
            handlers: [
                "GetInfo": { call in call.reply(info) },
                "GetInterfaceDescription": { [texts] (call) throws(VarlinkError) in
                    let name = call.parameters["interface"]?.string ?? ""
                    guard let text = texts[name] else { throw .interfaceNotFound(name) }
                    call.reply(Description(description: text))
                },
            ])
    }

    static let description = try! InterfaceDescription(parsing: text)

    private static let text = """
        # The Varlink Service Interface is provided by every varlink service. It
        # describes the service and the interfaces it implements.
        interface org.varlink.service

        # Get a list of all the interfaces a service provides and information
        # about the implementation.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Get the description of an interface that is implemented by this service.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The requested interface was not found.
        error InterfaceNotFound (interface: string)

        # The requested method was not found
        error MethodNotFound (method: string)

        # The interface defines the requested method, but the service does not
        # implement it.
        error MethodNotImplemented (method: string)

        # One of the passed parameters is invalid.
        error InvalidParameter (parameter: string)

        # Client is denied access
        error PermissionDenied ()

        # Method is expected to be called with 'more' set to true, but wasn't
        error ExpectedMore ()

        """
}
