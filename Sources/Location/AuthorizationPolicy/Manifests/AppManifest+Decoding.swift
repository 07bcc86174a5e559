internal import Bytewise
internal import LocationModel

extension AppManifest: Decodable {
    private enum Key: String, CaseIterable {
        case displayName = "display-name"
        case whenInUse = "when-in-use"
        case always
        case temporaryFullAccuracy = "temporary-full-accuracy"
        case defaultAccuracy = "default-accuracy"
        case background
    }

    /// Decodes a manifest from the keys of its TOML.
    ///
    /// - Throws: `DecodingError`. For a value that is not allowed, it is `dataCorrupted` at the value's path, with the
    ///   reason as its `debugDescription`. An unknown key is an error, too: a mistyped key would silently drop a text.
    public init(from decoder: any Decoder) throws {
        // One container serves all keys: TOMLKit's strict decoding tracks what each container has read.
        let values = try decoder.container(keyedBy: PathKey.self)
        for key in values.allKeys where Key(rawValue: key.stringValue) == nil {
            throw corrupted(
                values.codingPath + [key],
                "unknown key; allowed are \(Key.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        func value<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
            try values.decodeIfPresent(type, forKey: PathKey(key.rawValue))
        }
        func path(_ key: Key) -> [any CodingKey] { values.codingPath + [PathKey(key.rawValue)] }

        var accuracy = AccuracyAuthorization.full
        if let name = try value(String.self, .defaultAccuracy) {
            guard let known = AccuracyAuthorization(rawValue: name) else {
                throw corrupted(path(.defaultAccuracy), "must be \"full\" or \"reduced\"")
            }
            accuracy = known
        }
        do {
            try self.init(
                displayName: value(String.self, .displayName),
                whenInUse: value(LocalizedText.self, .whenInUse),
                always: value(LocalizedText.self, .always),
                temporaryFullAccuracy: value([String: LocalizedText].self, .temporaryFullAccuracy) ?? [:],
                defaultAccuracy: accuracy,
                background: value(Bool.self, .background))
        } catch let problem as Problem {
            switch problem {
            case .displayName: throw corrupted(path(.displayName), "\(problem)")
            case .purposeKey(let key):
                throw corrupted(path(.temporaryFullAccuracy) + [PathKey(key)], "\(problem)")
            }
        }
    }
}

extension LocalizedText: Decodable {
    /// Decodes a text, or a table of texts by language with the plain text under `default`.
    ///
    /// - Throws: `DecodingError`, as `AppManifest` does.
    public init(from decoder: any Decoder) throws {
        var plain: String
        var languages: [String: String] = [:]
        if let table = try? decoder.container(keyedBy: PathKey.self) {
            for key in table.allKeys { languages[key.stringValue] = try table.decode(String.self, forKey: key) }
            guard let text = languages.removeValue(forKey: Self.plainKey) else {
                throw corrupted(decoder.codingPath, "the key \(Self.plainKey) is missing: the text for other languages")
            }
            plain = text
        } else {
            plain = try decoder.singleValueContainer().decode(String.self)
        }
        do {
            try self.init(plain, languages: languages)
        } catch {
            throw corrupted(decoder.codingPath, "\(error)")
        }
    }
}

private func corrupted(_ path: [any CodingKey], _ reason: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: reason))
}
