internal import AuthorizationPolicy
internal import LocationModel
internal import LocationctlSupport

/// An app manifest converted from an Info.plist.
///
/// | Info.plist | manifest |
/// |---|---|
/// | NSLocationWhenInUseUsageDescription | `when-in-use` |
/// | NSLocationAlwaysAndWhenInUseUsageDescription, else NSLocationAlwaysUsageDescription | `always` |
/// | NSLocationUsageDescription, if none of these is present | both |
/// | NSLocationTemporaryUsageDescriptionDictionary | `[temporary-full-accuracy]` |
/// | NSLocationDefaultAccuracyReduced | `default-accuracy = "reduced"` |
/// | UIBackgroundModes with or without `location` | `background = true` or `background = false` |
/// | CFBundleDisplayName, else CFBundleName | `display-name` |
/// | CFBundleIdentifier | the name of the manifest's file |
///
/// `background = false` follows iOS, which terminates an app without the mode when it sets
/// `allowsBackgroundLocationUpdates`.
struct ConvertedManifest {
    let manifest: AppManifest
    /// The app that the bundle identifier names, or `nil` if the Info.plist has no usable identifier.
    let app: AppIdentity?
    /// The notes for the user who converts the file, one sentence each.
    let notes: [String]

    /// The reasons why the daemon would refuse the manifest, one line each, beginning with the key.
    struct Problems: Error, Equatable {
        let lines: [String]
    }

    /// Converts `list`, with the texts of the other `languages`, by language tag.
    init(_ list: InfoPropertyList, languages: [String: InfoStrings] = [:]) throws(Problems) {
        var texts = Texts(list: list, languages: languages)
        let none = list.usageDescriptions.keys.allSatisfy { $0 == .any }
        let whenInUse = texts.text(of: none ? [.any] : [.whenInUse])
        let always = texts.text(of: none ? [.any] : [.alwaysAndWhenInUse, .always])
        let purposes = texts.purposes()
        if list.usageDescriptions.isEmpty, (list.temporaryUsageDescriptions ?? [:]).isEmpty {
            texts.problems.append(
                "\(InfoPropertyList.UsageKey.whenInUse.rawValue): is missing, and so are the other usage descriptions: "
                    + "without one, the app cannot request the location")
        }

        var notes: [String] = []
        let hasMode = list.backgroundModes?.contains("location") ?? false
        if !hasMode {
            notes.append(
                "UIBackgroundModes does not contain \"location\": with background = false, the app's streams are "
                    + "suspended while it is in the background.")
        }
        let (nameKey, name) = list.displayNameAndKey
        if name == nil {
            notes.append("The Info.plist has no display name: set display-name in the manifest.")
        }
        do {
            manifest = try AppManifest(
                displayName: name, whenInUse: whenInUse, always: always, temporaryFullAccuracy: purposes,
                defaultAccuracy: list.isDefaultAccuracyReduced == true ? .reduced : .full, background: hasMode)
        } catch {
            switch error {
            case .displayName: texts.problems.append("\(nameKey.rawValue): \(error)")
            case .purposeKey(let key):
                texts.problems.append("\(InfoPropertyList.Key.temporary.rawValue).\(key): \(error)")
            }
            throw Problems(lines: texts.problems)
        }
        guard texts.problems.isEmpty else { throw Problems(lines: texts.problems) }
        app = list.identifier.flatMap { $0.hasBuildVariable ? nil : AppIdentity(kind: .app, name: $0) }
        self.notes = notes
    }
}

/// The usage descriptions of an Info.plist in all languages, with the problems found in them so far.
private struct Texts {
    let list: InfoPropertyList
    let languages: [String: InfoStrings]
    var problems: [String] = []

    /// Returns the text of the first of these keys that is present, or `nil` if none is.
    mutating func text(of keys: [InfoPropertyList.UsageKey]) -> LocalizedText? {
        for key in keys {
            guard let plain = list.usageDescriptions[key] else { continue }
            return text(plain, key: key.rawValue) { $0.text(of: key) }
        }
        return nil
    }

    mutating func purposes() -> [String: LocalizedText] {
        var purposes: [String: LocalizedText] = [:]
        for (key, plain) in (list.temporaryUsageDescriptions ?? [:]).sorted(by: { $0.key < $1.key }) {
            purposes[key] = text(plain, key: "\(InfoPropertyList.Key.temporary.rawValue).\(key)") {
                $0.text(ofPurpose: key)
            }
        }
        return purposes
    }

    private mutating func text(
        _ plain: String, key: String, translation: (InfoStrings) -> String?
    ) -> LocalizedText? {
        var texts = languages.compactMapValues(translation)
        // Without this, a user whose first language is that of the plain text and whose second is one of these would
        // get the second.
        if !texts.isEmpty, let region = list.developmentRegion, InfoPropertyList.isLanguage(region),
            !texts.keys.contains(where: { $0.asTag == region.asTag })
        {
            texts[region] = plain
        }
        if ([plain] + texts.values).contains(where: \.hasBuildVariable) {
            problems.append("\(key): contains a build variable; convert the Info.plist of the built app instead")
            return nil
        }
        do {
            return try LocalizedText(plain, languages: texts)
        } catch {
            problems.append("\(key): \(error)")
            return nil
        }
    }
}

extension InfoPropertyList {
    /// The app's name for users, or `nil` if it has none, and its key. A name that still has a build variable does
    /// not count.
    fileprivate var displayNameAndKey: (Key, String?) {
        let names: [(Key, String?)] = [(.displayName, displayName), (.name, name)]
        return names.first { $0.1.map { !$0.isEmpty && !$0.hasBuildVariable } ?? false } ?? (.displayName, nil)
    }
}

extension String {
    /// A Boolean value indicating whether the string has a variable that Xcode replaces, as in `$(PRODUCT_NAME)`.
    fileprivate var hasBuildVariable: Bool { contains("$(") || contains("${") }

    fileprivate var asTag: String { String(lowercased().map { $0 == "_" ? "-" : $0 }) }
}
