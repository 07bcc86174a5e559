/// A token of an interface definition: a word or a punctuation mark.
struct InterfaceToken {
    /// The characters of the token. Empty at the end of the text.
    var text: String
    /// The line of the token, counted from 1.
    var line: Int
    /// The comment lines directly above, if the token is the first of its line. Otherwise empty.
    var documentation: String

    var isEnd: Bool { text.isEmpty }

    func error(_ message: String) -> InterfaceSyntaxError {
        InterfaceSyntaxError(line: line, message: isEnd ? "\(message), not the end" : "\(message), not '\(text)'")
    }
}
