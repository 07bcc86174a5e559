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

    /// Returns the tokens of `text`. The last one marks the end of the text.
    static func tokens(of text: String) throws(InterfaceSyntaxError) -> [InterfaceToken] {
        var tokens: [InterfaceToken] = []
        var documentation: [Substring] = []
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            var rest = line.drop(while: \.isWhitespace)
            if rest.first == "#" {
                let comment = rest.dropFirst()
                documentation.append(comment.first == " " ? comment.dropFirst() : comment)
                continue
            }
            while let first = rest.first, first != "#" {
                let token = try rest.consumeToken(line: number)
                tokens.append(
                    InterfaceToken(text: token, line: number, documentation: documentation.joined(separator: "\n")))
                documentation = []
                rest = rest.drop(while: \.isWhitespace)
            }
            documentation = []
        }
        tokens.append(InterfaceToken(text: "", line: max(number, 1), documentation: ""))
        return tokens
    }
}

extension Substring {
    fileprivate mutating func consumeToken(line: Int) throws(InterfaceSyntaxError) -> String {
        for punctuation in ["->", "[]", "[string]", "(", ")", ",", ":", "?"] where hasPrefix(punctuation) {
            removeFirst(punctuation.count)
            return punctuation
        }
        let word = prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_.-".contains($0)) }
        guard let first else { return "" }
        guard !word.isEmpty else { throw InterfaceSyntaxError(line: line, message: "unexpected '\(first)'") }
        removeFirst(word.count)
        return String(word)
    }
}
