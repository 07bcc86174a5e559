internal import LocationModel

extension AppManifest {
    /// The TOML text of this manifest. The daemon decodes an equal manifest from it.
    ///
    /// Tables come last and keys are sorted, so that equal manifests have the same text.
    public var toml: String {
        var lines: [String] = []
        var tables: [String] = []
        func add(_ key: String, _ text: LocalizedText?) {
            guard let text else { return }
            guard !text.languages.isEmpty else { return lines.append("\(key) = \(TOMLSpelling.text(text.plain))") }
            tables += ["", "[\(key)]"] + text.assignments(below: "")
        }
        if let displayName { lines.append("display-name = \(TOMLSpelling.text(displayName))") }
        add("when-in-use", whenInUse)
        add("always", always)
        if defaultAccuracy != .full { lines.append("default-accuracy = \"\(defaultAccuracy.rawValue)\"") }
        if let background { lines.append("background = \(background)") }
        if !temporaryFullAccuracy.isEmpty {
            tables += ["", "[temporary-full-accuracy]"]
            for (key, text) in temporaryFullAccuracy.sorted(by: { $0.key < $1.key }) {
                let key = TOMLSpelling.key(key)
                tables +=
                    text.languages.isEmpty
                    ? ["\(key) = \(TOMLSpelling.text(text.plain))"] : text.assignments(below: key + ".")
            }
        }
        // A file with nothing but tables does not begin with an empty line.
        return (lines + tables.drop { lines.isEmpty && $0.isEmpty }).map { $0 + "\n" }.joined()
    }
}

extension LocalizedText {
    /// Returns the lines of the text's table: the plain text, then the texts in other languages.
    fileprivate func assignments(below prefix: String) -> [String] {
        ["\(prefix)\(Self.plainKey) = \(TOMLSpelling.text(plain))"]
            + languages.sorted { $0.key < $1.key }.map { "\(prefix)\($0.key) = \(TOMLSpelling.text($0.value))" }
    }
}

/// Values in the syntax of TOML v1.0.0.
package enum TOMLSpelling {
    /// Returns `text` as a basic string. Quotes, backslashes and all control characters are escaped, even tabs, which
    /// TOML would allow.
    package static func text(_ text: String) -> String {
        var spelled = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C:
                spelled += "\\"
                spelled.unicodeScalars.append(scalar)
            case 0...0x1F, 0x7F:
                spelled += "\\u" + Int(scalar.value).padded(to: 4, radix: 16, uppercase: true)
            default: spelled.unicodeScalars.append(scalar)
            }
        }
        return spelled + "\""
    }

    /// Returns `key` bare if it consists of ASCII letters, digits, `_` and `-` only, and quoted otherwise.
    static func key(_ key: String) -> String {
        let isBare = key.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "_-".unicodeScalars.contains(scalar))
        }
        return isBare && !key.isEmpty ? key : text(key)
    }
}
