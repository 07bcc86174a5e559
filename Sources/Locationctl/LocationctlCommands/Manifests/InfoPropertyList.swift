internal import LocationctlSupport

/// The entries of an Info.plist about the app and its use of the location. The keys are Apple's ("Information
/// Property List").
struct InfoPropertyList: Decodable {
    /// `CFBundleDisplayName`: the app's name for users.
    var displayName: String?
    /// `CFBundleName`: the name for users if there is no display name.
    var name: String?
    /// `CFBundleIdentifier`.
    var identifier: String?
    /// `CFBundleDevelopmentRegion`: the language of the Info.plist's own texts.
    var developmentRegion: String?
    /// The usage descriptions by key.
    var usageDescriptions: [UsageKey: String] = [:]
    /// `NSLocationTemporaryUsageDescriptionDictionary`: texts by purpose key.
    var temporaryUsageDescriptions: [String: String]?
    /// `NSLocationDefaultAccuracyReduced`.
    var isDefaultAccuracyReduced: Bool?
    /// `UIBackgroundModes`.
    var backgroundModes: [String]?

    /// The key of a usage description.
    enum UsageKey: String, CodingKey, CaseIterable {
        case whenInUse = "NSLocationWhenInUseUsageDescription"
        case alwaysAndWhenInUse = "NSLocationAlwaysAndWhenInUseUsageDescription"
        /// The key up to iOS 10.
        case always = "NSLocationAlwaysUsageDescription"
        /// The key on macOS and up to iOS 7: one text for every kind of request.
        case any = "NSLocationUsageDescription"
    }

    /// The other keys.
    enum Key: String, CodingKey {
        case displayName = "CFBundleDisplayName"
        case name = "CFBundleName"
        case identifier = "CFBundleIdentifier"
        case developmentRegion = "CFBundleDevelopmentRegion"
        case temporary = "NSLocationTemporaryUsageDescriptionDictionary"
        case defaultAccuracyReduced = "NSLocationDefaultAccuracyReduced"
        case backgroundModes = "UIBackgroundModes"
    }

    init(from decoder: any Decoder) throws {
        let texts = try decoder.container(keyedBy: UsageKey.self)
        for key in UsageKey.allCases { usageDescriptions[key] = try texts.decodeIfPresent(String.self, forKey: key) }
        let values = try decoder.container(keyedBy: Key.self)
        displayName = try values.decodeIfPresent(String.self, forKey: .displayName)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        identifier = try values.decodeIfPresent(String.self, forKey: .identifier)
        developmentRegion = try values.decodeIfPresent(String.self, forKey: .developmentRegion)
        temporaryUsageDescriptions = try values.decodeIfPresent([String: String].self, forKey: .temporary)
        isDefaultAccuracyReduced = try values.decodeIfPresent(Bool.self, forKey: .defaultAccuracyReduced)
        backgroundModes = try values.decodeIfPresent([String].self, forKey: .backgroundModes)
    }
}
