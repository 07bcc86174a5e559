/// A signal, to be sent.
package struct BusSignal: Equatable {
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]

    package init(path: String, interface: String, member: String, arguments: [BusValue]) {
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}
