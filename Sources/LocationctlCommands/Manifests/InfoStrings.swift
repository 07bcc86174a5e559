internal import FoundationEssentials

/// The texts of an Info.plist in another language: `LANGUAGE.lproj/InfoPlist.strings` beside it.
struct InfoStrings: Decodable {
    private var texts: [String: String] = [:]
    private var purposes: [String: String] = [:]

    /// The text of a key.
    func text(of key: InfoPropertyList.UsageKey) -> String? { texts[key.rawValue] }

    /// The text of a purpose of `NSLocationTemporaryUsageDescriptionDictionary`, which has a table of that name or
    /// stands among the other keys.
    func text(ofPurpose key: String) -> String? { purposes[key] ?? texts[key] }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: AnyKey.self)
        for key in values.allKeys {
            if key.stringValue == InfoPropertyList.Key.temporary.rawValue {
                purposes = try values.decode([String: String].self, forKey: key)
            } else {
                // What else is in there is no text about the location.
                texts[key.stringValue] = try? values.decode(String.self, forKey: key)
            }
        }
    }

    /// Those beside the Info.plist at `path`, by language.
    static func beside(_ path: String) throws(Failure) -> [String: InfoStrings] {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var all: [String: InfoStrings] = [:]
        for name in names.sorted() where name.hasSuffix(".lproj") {
            let language = String(name.dropLast(6))
            let file = "\(folder)/\(name)/InfoPlist.strings"
            // Base.lproj is no language, and the old English.lproj no tag of one.
            guard InfoPropertyList.isLanguage(language), FileManager.default.fileExists(atPath: file) else { continue }
            all[language] = try PropertyListFile.read(InfoStrings.self, path: file)
        }
        return all
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension InfoPropertyList {
    /// Returns whether that is a language's tag: its first part has two or three letters (RFC 5646).
    static func isLanguage(_ name: String) -> Bool {
        let first = name.prefix { $0 != "-" && $0 != "_" }
        return (2...3).contains(first.count) && first.allSatisfy { $0.isASCII && $0.isLetter }
    }
}
