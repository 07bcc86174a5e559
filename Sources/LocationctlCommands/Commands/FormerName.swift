/// The names that commands had before. They work until version 1.0, and no help, manual page or completion has them.
enum FormerName {
    private static let presentNames = ["place": "fixed-position", "places": "visits"]

    /// Replaces a former name by the present one. Returns a notice for the user, or `nil` if there was none.
    static func replace(in arguments: inout [String]) -> String? {
        guard let index = commandIndex(in: arguments), let name = presentNames[arguments[index]] else { return nil }
        defer { arguments[index] = name }
        return "`\(arguments[index])` is now `\(name)`; the former name works until version 1.0"
    }

    /// Returns the index of the command's name: the first argument that is neither an option nor its value.
    static func commandIndex(in arguments: [String]) -> Int? {
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
}
