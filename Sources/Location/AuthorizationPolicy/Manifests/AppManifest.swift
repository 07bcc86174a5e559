internal import Bytewise
public import LocationModel

/// An app's description of itself, known before the app ever starts: the counterpart of Info.plist on iOS.
///
/// As TOML:
/// ```toml
/// display-name = "Maps"
/// when-in-use = "Shows where you are on the map."
/// default-accuracy = "reduced"
/// background = true
///
/// [always]                       # a text in several languages is a table; default is the plain text
/// default = "Records your hikes."
/// de = "Zeichnet Wanderungen auf."
///
/// [temporary-full-accuracy]
/// navigation = "Tells you where to turn."
/// rescue.default = "Tells the rescuers where you are."
/// rescue.de = "Sagt den Rettern, wo du bist."
/// ```
/// Every key is optional. A text that could rewrite the prompt around it makes the whole manifest invalid
/// (`ShownText`).
public struct AppManifest: Sendable, Hashable {
    /// The maximum size of a manifest file, in bytes.
    public static let maximumFileSize = 65_536
    /// The name of the app for users, at most 100 Unicode scalars long.
    public let displayName: String?
    /// The purpose of the location while the app is in use. Without this text, the app cannot request `whenInUse`.
    public let whenInUse: LocalizedText?
    /// The purpose of the location in the background. Without this text, the app cannot request `always`.
    public let always: LocalizedText?
    /// The purposes of temporary full accuracy, despite a reduced grant, by the purpose's key.
    public let temporaryFullAccuracy: [String: LocalizedText]
    /// The accuracy of an answer that does not specify one, if the app has no decision yet.
    public let defaultAccuracy: AccuracyAuthorization
    /// A Boolean value indicating whether subscriptions with `allowsBackground` may continue in the background. `nil`,
    /// for a manifest without the key, means yes. With `false`, the app restricts itself.
    public let background: Bool?

    /// A reason why a manifest is invalid.
    public enum Problem: Error, Sendable, Hashable {
        /// The display name must not be shown.
        case displayName(ShownText.Problem)
        /// The key of a purpose is empty, longer than 100 Unicode scalars, or has characters that must not be shown.
        case purposeKey(String)
    }

    /// Creates a manifest.
    ///
    /// - Throws: The first problem with the display name or the keys of the purposes.
    public init(
        displayName: String? = nil, whenInUse: LocalizedText? = nil, always: LocalizedText? = nil,
        temporaryFullAccuracy: [String: LocalizedText] = [:], defaultAccuracy: AccuracyAuthorization = .full,
        background: Bool? = nil
    ) throws(Problem) {
        if let displayName {
            do throws(ShownText.Problem) {
                try ShownText.check(displayName, limit: ShownText.maximumNameLength)
            } catch {
                throw .displayName(error)
            }
        }
        for key in temporaryFullAccuracy.keys.sorted() {
            do throws(ShownText.Problem) {
                try ShownText.check(key, limit: ShownText.maximumNameLength)
            } catch {
                throw .purposeKey(key)
            }
        }
        self.displayName = displayName
        self.whenInUse = whenInUse
        self.always = always
        self.temporaryFullAccuracy = temporaryFullAccuracy
        self.defaultAccuracy = defaultAccuracy
        self.background = background
    }
}

extension AppManifest.Problem: CustomStringConvertible {
    /// The reason, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .displayName(let problem): "\(problem)"
        case .purposeKey:
            "the key of a purpose has 1 to \(ShownText.maximumNameLength) characters and no control characters"
        }
    }
}

extension AppManifest {
    /// Returns the text of the purpose with this key, or `nil` if the manifest has no such purpose.
    ///
    /// Attack: a caller chooses a key that takes seconds to compare: see ``BytewiseString``.
    func text(ofPurpose key: String) -> LocalizedText? {
        temporaryFullAccuracy.first { $0.key.isBytewiseEqual(to: key) }?.value
    }
}
