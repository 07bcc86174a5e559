internal import Glibc

/// The capabilities of a terminal, as its environment states them.
package struct TerminalCapabilities: Equatable, Sendable {
    /// A Boolean value indicating whether text may have colours and other emphasis.
    var hasColour = true
    /// A Boolean value indicating whether the locale's character encoding is UTF-8. Everything is ASCII otherwise.
    package var hasUnicode = true
    /// A Boolean value indicating whether this is the kernel's own terminal, whose font has 512 characters at most.
    var isLinuxConsole = false
    /// A Boolean value indicating whether the cursor can be moved. All terminals except those of type `dumb` can.
    package var hasCursor = true

    /// The capabilities of this process's terminal.
    package static var current: TerminalCapabilities {
        TerminalCapabilities { name in getenv(name).map { String(cString: $0) } }
    }

    /// Reads the capabilities from environment variables: NO_COLOR (https://no-color.org), TERM, and the locale, which
    /// is the first of LC_ALL, LC_CTYPE and LANG that is set.
    package init(_ variable: (String) -> String?) {
        hasCursor = variable("TERM") != "dumb"
        // The prefix also covers linux-16color and similar types.
        isLinuxConsole = variable("TERM")?.hasPrefix("linux") == true
        hasColour = hasCursor && (variable("NO_COLOR") ?? "").isEmpty
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? "C"
        let encoding = locale.split(separator: ".").dropFirst().first?.prefix { $0 != "@" } ?? ""
        hasUnicode = ["utf-8", "utf8"].contains(encoding.lowercased())
    }

    /// Returns a text in characters that this terminal can show.
    package func text(_ text: String) -> String { hasUnicode ? text : ASCIIText.of(text) }

    /// Creates the capabilities of an ordinary terminal.
    package init(hasColour: Bool = true, hasUnicode: Bool = true, isLinuxConsole: Bool = false) {
        self.hasColour = hasColour
        self.hasUnicode = hasUnicode
        self.isLinuxConsole = isLinuxConsole
    }
}
