internal import Bytewise
internal import FoundationEssentials
internal import LocationctlSupport

/// The texts of an Info.plist in another language, from the file `LANGUAGE.lproj/InfoPlist.strings` beside it.
struct InfoStrings: Decodable {
    private var texts: [String: String] = [:]
    private var purposes: [String: String] = [:]

    /// Returns the text of a usage description, or `nil` if there is none in this language.
    func text(of key: InfoPropertyList.UsageKey) -> String? { texts[key.rawValue] }

    /// Returns the text of a purpose of `NSLocationTemporaryUsageDescriptionDictionary`, from the table of that name
    /// or, failing that, from among the other keys.
    func text(ofPurpose key: String) -> String? { purposes[key] ?? texts[key] }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: PathKey.self)
        for key in values.allKeys {
            if key.stringValue == InfoPropertyList.Key.temporary.rawValue {
                purposes = try values.decode([String: String].self, forKey: key)
            } else {
                // A value that is not a string is not a text about the location.
                texts[key.stringValue] = try? values.decode(String.self, forKey: key)
            }
        }
    }

    /// Returns the texts in the folders beside the Info.plist at `path`, by language.
    static func beside(_ path: String) throws(Failure) -> [String: InfoStrings] {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var all: [String: InfoStrings] = [:]
        for name in names.sorted() where name.hasSuffix(".lproj") {
            let language = String(name.dropLast(6))
            let file = "\(folder)/\(name)/InfoPlist.strings"
            // Base.lproj is not a language, and the old English.lproj is not a language tag.
            guard InfoPropertyList.isLanguage(language), FileManager.default.fileExists(atPath: file) else { continue }
            all[language] = try PropertyListFile.read(InfoStrings.self, path: file)
        }
        return all
    }
}

extension InfoPropertyList {
    /// Returns whether `name` is a language tag: its first part has two or three letters (RFC 5646).
    static func isLanguage(_ name: String) -> Bool {
        let first = name.prefix { $0 != "-" && $0 != "_" }
        return (2...3).contains(first.count) && first.allSatisfy { $0.isASCII && $0.isLetter }
    }
}
