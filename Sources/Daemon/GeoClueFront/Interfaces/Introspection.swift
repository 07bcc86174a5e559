/// Introspection data: D-Bus specification, "Introspection Data Format".
///
/// It contains only names of this program, so nothing needs escaping.
enum Introspection {
    private static let documentType = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

        """

    /// Returns the description of an object with these interfaces and, if it is public, a child.
    static func xml(_ interfaces: [InterfaceDefinition], child: String? = nil) -> String {
        var xml = documentType + "<node>\n"
        for interface in interfaces { xml += Self.xml(interface) }
        if let child { xml += " <node name=\"\(child)\"/>\n" }
        return xml + "</node>\n"
    }

    private static func xml(_ interface: InterfaceDefinition) -> String {
        var xml = " <interface name=\"\(interface.name)\">\n"
        for method in interface.methods {
            xml += "  <method name=\"\(method.name)\">\n" + Self.xml(method.input, direction: "in")
            xml += Self.xml(method.output, direction: "out") + "  </method>\n"
        }
        for signal in interface.signals {
            xml += "  <signal name=\"\(signal.name)\">\n" + Self.xml(signal.arguments) + "  </signal>\n"
        }
        for property in interface.properties {
            let access = property.isWritable ? "readwrite" : "read"
            xml += "  <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\"/>\n"
        }
        return xml + " </interface>\n"
    }

    private static func xml(_ arguments: [InterfaceDefinition.Argument], direction: String? = nil) -> String {
        let direction = direction.map { " direction=\"\($0)\"" } ?? ""
        return arguments.map { "   <arg name=\"\($0.name)\" type=\"\($0.signature)\"\(direction)/>\n" }.joined()
    }
}
