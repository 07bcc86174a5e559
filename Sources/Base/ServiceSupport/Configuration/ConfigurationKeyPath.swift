internal import Foundation

/// The path to a value in a configuration file, such as `receiver[1].source`.
package struct ConfigurationKeyPath: CustomStringConvertible {
    private let keys: [any CodingKey]

    package init(_ keys: [any CodingKey]) {
        self.keys = keys
    }

    package var description: String {
        keys.reduce("") { path, key in
            if let index = key.intValue { return path + "[\(index)]" }
            return path.isEmpty ? key.stringValue : path + "." + key.stringValue
        }
    }

    /// Returns the line of the value or, if the value is missing, of its table. Lines are counted from 1. Returns `nil`
    /// if neither is found.
    ///
    /// The parser keeps no positions, so this searches for the n-th header of the table, and then for the key below it.
    package func line(in text: String) -> Int? {
        var table = ""
        var seen: [String: Int] = [:]
        var best: Int?
        let wantedTable = keys.count > 1 ? keys[0].stringValue : ""
        let wantedIndex = keys.count > 1 ? keys[1].intValue ?? 0 : 0
        let wantedKey = keys.last { $0.intValue == nil }?.stringValue
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("[") {
                table = line.trimmingCharacters(in: CharacterSet(charactersIn: "[] "))
                seen[table, default: 0] += 1
                if table == wantedKey, keys.count == 1 { return number + 1 }
                if table == wantedTable, seen[table] == wantedIndex + 1 { best = number + 1 }
            } else if let equals = line.firstIndex(of: "="), table == wantedTable,
                table.isEmpty || seen[table] == wantedIndex + 1,
                line[..<equals].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'")) == wantedKey
            {
                return number + 1
            }
        }
        // The value is in a table written on a single line.
        return best ?? (keys.count > 1 ? ConfigurationKeyPath([keys[0]]).line(in: text) : nil)
    }
}
