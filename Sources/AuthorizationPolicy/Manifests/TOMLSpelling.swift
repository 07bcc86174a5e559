/// How values are written in TOML v1.0.0.
enum TOMLSpelling {
    /// A basic string: quotes, backslashes and what TOML does not allow in it (controls other than a tab) are escaped.
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

    /// A key: bare where it has letters and digits of ASCII, `_` and `-` only, quoted otherwise.
    static func key(_ key: String) -> String {
        let isBare = key.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "_-".unicodeScalars.contains(scalar))
        }
        return isBare && !key.isEmpty ? key : text(key)
    }
}
