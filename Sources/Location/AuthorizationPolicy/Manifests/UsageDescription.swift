public import LocationModel

/// The purpose for which an app wants the location, as the prompt shows it.
public struct UsageDescription: Sendable, Hashable {
    /// The text to show.
    public let text: LocalizedText
    /// A Boolean value indicating whether the text is the app's own word, which nobody else vouches for. The prompt
    /// marks such a text.
    public let isFromApp: Bool

    /// Creates a description from a text of the manifest.
    public init(_ text: LocalizedText) {
        self.text = text
        isFromApp = false
    }

    /// Creates a description from an app's own words, or `nil` if nothing to read is left. Control characters and
    /// bidirectional overrides become spaces, and everything beyond 500 Unicode scalars is cut off.
    ///
    /// The text is cleaned, not refused as in a manifest: nobody is there to correct it, and a line break is no
    /// reason not to prompt.
    public init?(ownWords: String) {
        guard let shown = ShownText.cleaned(ownWords, limit: ShownText.maximumDescriptionLength) else { return nil }
        text = LocalizedText(cleaned: shown)
        isFromApp = true
    }

    /// Creates the description for a request: the manifest's or, if the app has no manifest, the app's own reason.
    /// `nil` if there is none.
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
