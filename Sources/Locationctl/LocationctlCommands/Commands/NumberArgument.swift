/// A number on the command line.
enum NumberArgument {
    /// Returns the program's arguments, with each negative number joined to the option before it: the parser would
    /// mistake it for another option. No option begins like a number.
    static func joined(_ arguments: [String]) -> [String] {
        var result: [String] = []
        for argument in arguments {
            if let option = result.last, option.hasPrefix("--"), option.count > 2, !option.contains("="),
                argument.hasPrefix("-"), Double(argument) != nil
            {
                result[result.count - 1] = option + "=" + argument
            } else {
                result.append(argument)
            }
        }
        return result
    }

    /// Returns a remark about a message of the parser that refuses a number with a unit, or `nil` if it is about
    /// something else.
    static func unitRemark(about message: String) -> String? {
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].hasSuffix("he value "), parts[2] == " is invalid for " else { return nil }
        let number = parts[1].prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
        let unit = parts[1].dropFirst(number.count)
        guard Double(number) != nil, !unit.isEmpty, unit.allSatisfy({ $0.isLetter || $0 == " " || $0 == "/" }) else {
            return nil
        }
        let what =
            switch parts[3].split(separator: " ").last {
            case "<s>": " of seconds"
            case "<m>": " of metres"
            default: ""
            }
        return "write the number\(what) alone, without a unit"
    }
}
