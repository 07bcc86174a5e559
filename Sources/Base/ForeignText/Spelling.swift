/// Comparison of words that users type with the words they may have meant.
public enum Spelling {
    /// The number of letters above which a word does not match any name.
    private static let longest = 60

    /// Returns the name that a mistyped word probably stands for, or `nil` if no name is similar enough. A name is
    /// similar if at most a third of the word's letters differ. A prefix that only one name has stands for that name.
    public static func nearest(to word: String, among names: [String]) -> String? {
        let limit = max(1, word.count / 3)
        let near = names.map { (name: $0, distance: distance(Array(word), Array($0))) }
            .filter { $0.distance <= limit }.min { $0.distance < $1.distance }
        let completed = names.filter { word.count > 1 && $0.hasPrefix(word) }
        return near?.name ?? (completed.count == 1 ? completed[0] : nil)
    }

    /// Returns the number of letters to insert, remove, replace, or swap with a neighbour, to turn one word into the
    /// other (optimal string alignment).
    static func distance(_ first: [Character], _ second: [Character]) -> Int {
        guard first.count <= longest else { return .max }
        var rows = [Array(0...second.count)]
        for i in 1...max(1, first.count) where i <= first.count {
            var row = [i]
            for j in second.indices {
                let isSame = first[i - 1] == second[j]
                var least = min(rows[i - 1][j] + (isSame ? 0 : 1), rows[i - 1][j + 1] + 1, row[j] + 1)
                if i > 1, j > 0, first[i - 1] == second[j - 1], first[i - 2] == second[j] {
                    least = min(least, rows[i - 2][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}
