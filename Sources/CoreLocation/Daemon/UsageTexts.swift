internal import Foundation
internal import LocationClient

/// The usage descriptions of the app's Info.plist, which lies beside its executable.
///
/// A manifest that is installed for the app takes their place; without one, the user sees them marked as the app's own
/// words.
enum UsageTexts {
    private static let whenInUse = "NSLocationWhenInUseUsageDescription"
    private static let alwaysAndWhenInUse = "NSLocationAlwaysAndWhenInUseUsageDescription"
    /// The name before iOS 11.
    private static let always = "NSLocationAlwaysUsageDescription"

    /// Why the app wants the location, in its own words.
    static func reason(for level: AuthorizationLevel) -> String? {
        keys(for: level).lazy.compactMap { Bundle.main.object(forInfoDictionaryKey: $0) as? String }.first
    }

    /// A Boolean value indicating whether the app takes sessions of its own, rather than having one with each stream.
    static var requiresExplicitSession: Bool {
        Bundle.main.object(forInfoDictionaryKey: "NSLocationRequireExplicitServiceSession") as? Bool ?? false
    }

    /// Says on the standard error what is missing.
    static func complain(of level: AuthorizationLevel) {
        let text =
            "CoreLocation: nobody was asked for the location: there is no \(keys(for: level)[0]) in an Info.plist beside "
            + "the executable, nor a manifest of the app that has one\n"
        FileHandle.standardError.write(Data(text.utf8))
    }

    private static func keys(for level: AuthorizationLevel) -> [String] {
        switch level {
        case .whenInUse: [whenInUse]
        case .always: [alwaysAndWhenInUse, always]
        }
    }
}
