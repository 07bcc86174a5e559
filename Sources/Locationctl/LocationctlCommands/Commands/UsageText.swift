internal import ArgumentParser
internal import ForeignText
internal import LocationctlSupport

/// The text about an invalid command line, in the style of all other errors.
enum UsageText {
    private static let parsersVoice = "Error: "

    /// Returns the parser's message, with the command that was probably meant.
    static func refusal(_ message: String, of arguments: [String]) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let unknown = UnknownCommand.find(in: arguments) {
            lines[0] = unknown.message
            // The help of the wrong command does not help.
            lines.removeAll { $0.hasPrefix("Help:") }
        } else if lines[0].hasPrefix(parsersVoice) {
            let text = lines[0].dropFirst(parsersVoice.count)
            lines[0] = "locationctl: " + text.prefix(1).lowercased() + text.dropFirst()
            if let remark = NumberArgument.unitRemark(about: lines[0]) { lines[0] += ": \(remark)" }
        }
        return lines.joined(separator: "\n")
    }
}

/// A word in the place of a command that is not one.
struct UnknownCommand: Equatable {
    /// The words before it, such as `locationctl region`.
    let group: String
    let word: String
    /// The most similar command, if one is similar enough.
    let suggestion: String?

    /// Returns the unknown command in the program's arguments, or `nil` if there is none.
    static func find(in arguments: [String]) -> UnknownCommand? {
        guard let start = commandIndex(in: arguments) else { return nil }
        var subcommands = Locationctl.configuration.subcommands
        var group = "locationctl"
        var isValue = false
        for word in arguments[start...] {
            let isWord = !isValue && !word.hasPrefix("-")
            isValue = word == "--runtime-directory"
            guard isWord else { continue }
            guard !subcommands.isEmpty else { return nil }
            let names = subcommands.map { $0.configuration.commandName ?? "" }
            guard let index = names.firstIndex(of: word) else {
                return UnknownCommand(group: group, word: word, names: names)
            }
            subcommands = subcommands[index].configuration.subcommands
            group += " " + word
        }
        return nil
    }

    /// Returns the index of the command's name: the first argument that is neither an option nor its value.
    private static func commandIndex(in arguments: [String]) -> Int? {
        var index = 0
        while index < arguments.count {
            switch arguments[index] {
            case "--runtime-directory": index += 2
            case "help": index += 1
            case let argument where argument.hasPrefix("-"): index += 1
            default: return index
            }
        }
        return nil
    }

    init(group: String, word: String, names: [String]) {
        (self.group, self.word) = (group, word)
        suggestion = Spelling.nearest(to: word, among: names)
    }

    /// The error for the user.
    var message: String {
        let word = DisplayText.shortened(DisplayText.quoted(word), columns: 60)
        let advice = suggestion.map { "did you mean `\(group) \($0)`?" } ?? "see `\(group) --help`"
        return "locationctl: there is no command \(word): \(advice)"
    }
}
