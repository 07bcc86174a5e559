internal import Foundation
internal import LocationClient

/// The usage descriptions in the app's Info.plist, in the folder of its executable.
///
/// The descriptions of an installed manifest take precedence. Without a manifest, the prompt marks these as the app's
/// own words.
enum UsageDescriptions {
    private static let whenInUse = "NSLocationWhenInUseUsageDescription"
    private static let alwaysAndWhenInUse = "NSLocationAlwaysAndWhenInUseUsageDescription"
    /// The name of the key before iOS 11.
    private static let always = "NSLocationAlwaysUsageDescription"

    /// Returns the app's reason for using locations, or `nil` if the Info.plist has none.
    static func reason(for level: AuthorizationLevel) -> String? {
        keys(for: level).lazy.compactMap { Bundle.main.object(forInfoDictionaryKey: $0) as? String }.first
    }

    /// A Boolean value indicating whether the app opens its own service sessions. If not, each stream implies one.
    static var requiresExplicitSession: Bool {
        Bundle.main.object(forInfoDictionaryKey: "NSLocationRequireExplicitServiceSession") as? Bool ?? false
    }

    /// Returns the key that describes an app's use of locations at `level`.
    static func key(for level: AuthorizationLevel) -> String { keys(for: level)[0] }

    private static func keys(for level: AuthorizationLevel) -> [String] {
        switch level {
        case .whenInUse: [whenInUse]
        case .always: [alwaysAndWhenInUse, always]
        }
    }
}
