internal import Bytewise
public import LocationModel

/// What an app says about itself before it is ever started: what Info.plist holds on iOS.
///
/// As TOML:
/// ```toml
/// display-name = "Maps"
/// when-in-use = "Shows where you are on the map."
/// default-accuracy = "reduced"
/// background = true
///
/// [always]                       # a text in several languages is a table; default is the plain one
/// default = "Records your hikes."
/// de = "Zeichnet Wanderungen auf."
///
/// [temporary-full-accuracy]
/// navigation = "Tells you where to turn."
/// rescue.default = "Tells the rescuers where you are."
/// rescue.de = "Sagt den Rettern, wo du bist."
/// ```
/// Every key may be absent. A text that could rewrite the prompt around it makes the whole manifest invalid
/// (`ShownText`).
public struct AppManifest: Sendable, Hashable {
    /// The greatest file that a manifest is read from, in bytes.
    public static let largestFile = 65_536
    /// What people call the app, at most 100 Unicode scalars.
    public let displayName: String?
    /// What it wants the location for while it is in use. Without it, it cannot ask.
    public let whenInUse: LocalizedText?
    /// What it wants the location for in the background. Without it, it cannot ask for `always`.
    public let always: LocalizedText?
    /// What it wants full accuracy for, although it was granted reduced, by the purpose's key.
    public let temporaryFullAccuracy: [String: LocalizedText]
    /// The accuracy of an answer that names none, where nobody has decided about the app yet.
    public let defaultAccuracy: AccuracyAuthorization
    /// A Boolean value indicating whether streams with `allowsBackground` may go on in the background. `nil`, where the
    /// manifest is silent, is yes; an app that says `false` binds itself.
    public let background: Bool?

    /// Why there is no such manifest.
    public enum Problem: Error, Sendable, Hashable {
        /// The display name may not be shown.
        case displayName(ShownText.Problem)
        /// A purpose's key is empty, longer than 100 Unicode scalars, or has control characters.
        case purposeKey(String)
    }

    /// A manifest with these parts. Throws what is wrong with them.
    public init(
        displayName: String? = nil, whenInUse: LocalizedText? = nil, always: LocalizedText? = nil,
        temporaryFullAccuracy: [String: LocalizedText] = [:], defaultAccuracy: AccuracyAuthorization = .full,
        background: Bool? = nil
    ) throws(Problem) {
        if let displayName {
            do throws(ShownText.Problem) {
                try ShownText.check(displayName, limit: ShownText.longestName)
            } catch {
                throw .displayName(error)
            }
        }
        for key in temporaryFullAccuracy.keys.sorted() {
            do throws(ShownText.Problem) {
                try ShownText.check(key, limit: ShownText.longestName)
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
    /// The reason, as a sentence without its full stop.
    public var description: String {
        switch self {
        case .displayName(let problem): "\(problem)"
        case .purposeKey:
            "the key of a purpose has 1 to \(ShownText.longestName) characters and no control characters"
        }
    }
}

extension AppManifest {
    /// Returns the text of the purpose with that key; `nil` where the manifest has no such purpose.
    ///
    /// Attack: the key is a caller's: ``BytewiseString``.
    func text(ofPurpose key: String) -> LocalizedText? {
        temporaryFullAccuracy.first { $0.key.isBytewiseEqual(to: key) }?.value
    }
}
