/// Values as they are written in TOML v1.0.0.
enum TOMLSpelling {
    /// Returns `text` as a basic string. Quotes, backslashes and all control characters are escaped, even tabs, which
    /// TOML would allow.
    static func text(_ text: String) -> String {
        var spelled = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C:
                spelled += "\\"
                spelled.unicodeScalars.append(scalar)
            case 0...0x1F, 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                spelled += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
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
