internal import AuthorizationPolicy
internal import LocationModel

/// The manifest that an Info.plist means.
///
/// | Info.plist | manifest |
/// |---|---|
/// | NSLocationWhenInUseUsageDescription | `when-in-use` |
/// | NSLocationAlwaysAndWhenInUseUsageDescription, else NSLocationAlwaysUsageDescription | `always` |
/// | NSLocationUsageDescription where none of these is | both |
/// | NSLocationTemporaryUsageDescriptionDictionary | `[temporary-full-accuracy]` |
/// | NSLocationDefaultAccuracyReduced | `default-accuracy = "reduced"` |
/// | UIBackgroundModes: with `location`, or not | `background = true`, or `false` |
/// | CFBundleDisplayName, else CFBundleName | `display-name` |
/// | CFBundleIdentifier | the file's name |
///
/// `background = false` is what iOS does: there an app without the mode ends when it sets
/// `allowsBackgroundLocationUpdates`.
struct ConvertedManifest {
    let manifest: AppManifest
    /// The app by its bundle's identifier; `nil` where there is none.
    let app: AppIdentity?
    /// What the user should know who converts it, a sentence each.
    let notes: [String]

    /// What the daemon would refuse, a line each that begins with the key.
    struct Problems: Error, Equatable {
        let lines: [String]
    }

    /// Converts it, with its texts in other languages.
    init(_ list: InfoPropertyList, languages: [String: InfoStrings] = [:]) throws(Problems) {
        var texts = Texts(list: list, languages: languages)
        let none = list.usageDescriptions.keys.allSatisfy { $0 == .any }
        let whenInUse = texts.text(of: none ? [.any] : [.whenInUse])
        let always = texts.text(of: none ? [.any] : [.alwaysAndWhenInUse, .always])
        let purposes = texts.purposes()
        if list.usageDescriptions.isEmpty, (list.temporaryUsageDescriptions ?? [:]).isEmpty {
            texts.problems.append(
                "\(InfoPropertyList.UsageKey.whenInUse.rawValue): is missing, as is every other text "
                    + "on what the location is for: the app could not ask for it")
        }

        var notes: [String] = []
        let hasMode = list.backgroundModes?.contains("location") ?? false
        if !hasMode {
            notes.append(
                "UIBackgroundModes has no \"location\": with background = false its streams rest while it is in the "
                    + "background.")
        }
        let (nameKey, name) = list.shownName
        if name == nil { notes.append("There is no name to show: set display-name.") }
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

/// The texts, and what is wrong with them.
private struct Texts {
    let list: InfoPropertyList
    let languages: [String: InfoStrings]
    var problems: [String] = []

    /// The text of the first of these keys that is there.
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
        // Else somebody who reads the plain text's language first, and another one of these next, would get that.
        if !texts.isEmpty, let region = list.developmentRegion, InfoPropertyList.isLanguage(region),
            !texts.keys.contains(where: { $0.asTag == region.asTag })
        {
            texts[region] = plain
        }
        if ([plain] + texts.values).contains(where: \.hasBuildVariable) {
            problems.append("\(key): has a variable that the build replaces; convert the Info.plist of the built app")
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
    /// What people call the app, and the key that says so. A name that the build is to fill in is none.
    fileprivate var shownName: (Key, String?) {
        let names: [(Key, String?)] = [(.displayName, displayName), (.name, name)]
        return names.first { $0.1.map { !$0.isEmpty && !$0.hasBuildVariable } ?? false } ?? (.displayName, nil)
    }
}

extension String {
    /// A Boolean value indicating whether Xcode puts something in, as in `$(PRODUCT_NAME)`.
    fileprivate var hasBuildVariable: Bool { contains("$(") || contains("${") }

    fileprivate var asTag: String { String(lowercased().map { $0 == "_" ? "-" : $0 }) }
}
