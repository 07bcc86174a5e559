/// What an Info.plist says of the app and of its use of the location; the keys are Apple's ("Information Property List").
struct InfoPropertyList: Decodable {
    /// `CFBundleDisplayName` and `CFBundleName`: what people call the app.
    var displayName: String?
    var name: String?
    /// `CFBundleIdentifier`.
    var identifier: String?
    /// `CFBundleDevelopmentRegion`: the language of its own texts.
    var developmentRegion: String?
    /// The usage descriptions, by their keys.
    var usageDescriptions: [UsageKey: String] = [:]
    /// `NSLocationTemporaryUsageDescriptionDictionary`: texts by the purpose's key.
    var temporaryUsageDescriptions: [String: String]?
    /// `NSLocationDefaultAccuracyReduced`.
    var isDefaultAccuracyReduced: Bool?
    /// `UIBackgroundModes`.
    var backgroundModes: [String]?

    /// A usage description's key.
    enum UsageKey: String, CodingKey, CaseIterable {
        case whenInUse = "NSLocationWhenInUseUsageDescription"
        case alwaysAndWhenInUse = "NSLocationAlwaysAndWhenInUseUsageDescription"
        /// Until iOS 10.
        case always = "NSLocationAlwaysUsageDescription"
        /// Of macOS, and until iOS 7: for whatever the app asks for.
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
