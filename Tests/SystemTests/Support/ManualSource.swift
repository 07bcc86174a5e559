import Foundation
import TestSupport

/// The source of a manual page in mdoc(7), as far as tests examine it.
struct ManualSource {
    /// The names in the entry of a subcommand, or in the text before all of them.
    struct Entry {
        /// The options as spelled in mdoc: `-json` for `--json`, `n` for `-n`.
        var options: Set<String> = []
        /// The names of values.
        var values: Set<String> = []
    }

    /// The lines of the source.
    let lines: [Substring]

    /// Reads a page of the folder `man`.
    init(page: String) throws {
        lines = try String(contentsOfFile: Project.folder + "/man/" + page, encoding: .utf8).split(separator: "\n")
    }

    /// The entries of subcommands by their names, such as `region add`. The text before the first one is under
    /// ``""``.
    ///
    /// A subcommand is an item of the outer lists in the section SUBCOMMANDS. A list within its text is part of it.
    var entries: [String: Entry] {
        var entries: [String: Entry] = ["": Entry()]
        var current = ""
        var depth = 0
        var isInside = false
        for line in lines {
            if line.hasPrefix(".Sh") { (isInside, current) = (line == ".Sh SUBCOMMANDS", "") }
            if line.hasPrefix(".Bl") { depth += 1 }
            if line.hasPrefix(".El") { depth -= 1 }
            if isInside, depth == 1, let name = Self.subcommand(line) { current = name }
            entries[current, default: Entry()].options.formUnion(Self.arguments(of: "Fl", in: line))
            entries[current, default: Entry()].values.formUnion(Self.arguments(of: "Ar", in: line))
        }
        return entries
    }

    /// Returns the variables listed in a section as `.It Va name`, from its `.Sh` line to the next.
    func variables(section: String) -> Set<String> {
        let section = lines.drop { $0 != ".Sh \(section)" }.dropFirst().prefix { !$0.hasPrefix(".Sh") }
        return Set(section.filter { $0.hasPrefix(".It Va ") }.map { String($0.split(separator: " ")[2]) })
    }

    /// Returns the letters and digits that a line with macros shows: its words that are not macros.
    ///
    /// Only macros in the pages count. The name of any other macro counts as a word, as its author meant it. `No` is a
    /// macro after another one's argument, and a word in the first place.
    static func text(ofMacros line: Substring) -> String {
        // The beginnings of lists and displays, comments, and links, whose text comes before the address.
        let others = [".Bl", ".Bd", ".Lk", ".\\\""]
        guard line.hasPrefix("."), !others.contains(where: line.hasPrefix) else { return "" }
        var words: [Substring] = []
        for (place, word) in line.dropFirst().split(separator: " ").enumerated() {
            let isMacro = macros.contains(word) || word == "No" && place > 1 && words.count < place - 1
            if !isMacro { words.append(word) }
        }
        return words.joined(separator: " ").replacing(/\\\(..|\\./, with: "").filter { $0.isLetter || $0.isNumber }
    }

    private static let macros = Set(
        """
        Ar Brq Cm Dd Dl Dt Dv Ed El Em Er Ev Fl Fn It Li Nd Nm Ns Oc Oo Op Os Pa Pc Po Pp Pq Ql Sh Ss Sx Sy Va Xc Xo Xr
        """.split(separator: " "))

    /// Returns the words after `Cm` in `.It Cm region add Ar id`, or `nil` for other lines.
    private static func subcommand(_ line: Substring) -> String? {
        var words = line.split(separator: " ")[...]
        guard words.popFirst() == ".It" else { return nil }
        if words.first == "Xo" { words = words.dropFirst() }
        guard words.popFirst() == "Cm" else { return nil }
        return words.prefix { !isMacro($0) }.joined(separator: " ")
    }

    /// Returns the words after a macro, up to the next one.
    private static func arguments(of macro: String, in line: Substring) -> [String] {
        guard line.hasPrefix(".") else { return [] }
        var found: [String] = []
        var isArgument = false
        for word in line.dropFirst().split(separator: " ") {
            if isMacro(word) {
                isArgument = word == macro
            } else if isArgument, word.contains(where: \.isLetter) {
                found.append(String(word))
            }
        }
        return found
    }

    private static func isMacro(_ word: Substring) -> Bool {
        word.count == 2 && word.first!.isUppercase && word.last!.isLowercase
    }
}
