internal import Varlink

/// The manual page of an interface, for section 7, in mdoc(7).
///
/// The first sentence of the interface's comment, without its full stop, becomes the one-line description that
/// apropos(1) searches. The rest of the comment becomes the description. Each method, type and error has a subsection
/// with its definition and the comment above it.
struct ManualPage {
    /// The source of the page.
    let text: String

    /// Creates the page of `interface`.
    ///
    /// - Parameter date: The date as mdoc(7) writes it, such as `November 21, 2026`.
    init(of interface: InterfaceDescription, date: String) {
        var paragraphs = Roff.paragraphs(interface.documentation)
        let title = paragraphs.isEmpty ? "a Varlink interface" : paragraphs[0].removeFirst()
        var lines = [
            ".\\\" Made from the interface's definition: do not edit.",
            ".Dd \(date)",
            ".Dt \(interface.name.uppercased()) 7",
            ".Os locationd",
            ".Sh NAME",
            ".Nm \(interface.name)",
            ".Nd \(Roff.withoutFullStop(title))",
            ".Sh DESCRIPTION",
            "This is a Varlink interface, at the Unix socket",
            ".Pa /run/locationd/\(interface.name) .",
            "Messages are JSON and end in a NUL byte; a method that needs",
            ".Ql more",
            "is called with that flag, and replies repeatedly.",
            "A type with a question mark before it may be absent.",
        ]
        let rest = Roff.text(paragraphs)
        if !rest.isEmpty { lines += [".Pp"] + rest }
        lines += Self.section(
            "METHODS", interface.methods.map { ($0.name, Definition.method($0), $0.documentation) })
        lines += Self.section("TYPES", interface.types.map { ($0.name, Definition.type($0), $0.documentation) })
        lines += Self.section(
            "ERROR REPLIES", interface.errors.map { ($0.name, Definition.error($0), $0.documentation) })
        lines += [
            ".Sh SEE ALSO", ".Xr locationctl 1 ,", ".Xr locationd 8", ".Pp", ".Lk https://varlink.org Varlink",
        ]
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ title: String, _ members: [(name: String, definition: [String], text: String)])
        -> [String]
    {
        guard !members.isEmpty else { return [] }
        var lines = [".Sh \(title)"]
        for member in members {
            lines += [".Ss \(member.name)", ".Bd -literal -offset indent"]
            lines += member.definition.map(Roff.literal)
            lines.append(".Ed")
            if !member.text.isEmpty { lines += [".Pp"] + Roff.text(Roff.paragraphs(member.text)) }
        }
        return lines
    }
}
