public import LocationModel

/// The purpose of an app's use of the location, as the prompt shows it.
public struct UsageDescription: Sendable, Hashable {
    /// The text to show.
    public let text: LocalizedText
    /// A Boolean value indicating whether the text comes from the app itself and was not reviewed by others. The prompt
    /// marks such a text.
    public let isFromApp: Bool

    /// Creates a description from a text of the manifest.
    public init(_ text: LocalizedText) {
        self.text = text
        isFromApp = false
    }

    /// Creates a description from an app's own words, or returns `nil` if nothing to read is left. Control characters
    /// and bidirectional overrides become spaces, and everything beyond 500 Unicode scalars is cut off.
    ///
    /// Unlike the text of a manifest, the text is cleaned rather than refused: no author is present to correct it, and
    /// a line break is not a reason to refuse a prompt.
    public init?(ownWords: String) {
        guard let shown = ShownText.cleaned(ownWords, limit: ShownText.maximumDescriptionLength) else { return nil }
        text = LocalizedText(cleaned: shown)
        isFromApp = true
    }

    /// Creates the description for a request from the manifest or, if the app has no manifest, from the app's own
    /// reason. Returns `nil` if there is no text.
    ///
    /// An app whose manifest has no text for `level` has no description: its own words do not replace a reviewed text.
    public init?(for level: RequestedLevel, manifest: AppManifest?, reason: String?) {
        if let manifest {
            guard let text = level == .always ? manifest.always : manifest.whenInUse else { return nil }
            self.init(text)
        } else {
            guard let reason else { return nil }
            self.init(ownWords: reason)
        }
    }
}
