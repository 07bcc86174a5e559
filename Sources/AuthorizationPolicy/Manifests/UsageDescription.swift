public import LocationModel

/// What an app wants the location for, as the prompt shows it.
public struct UsageDescription: Sendable, Hashable {
    /// The text.
    public let text: LocalizedText
    /// A Boolean value indicating whether nobody but the app itself vouches for it. The prompt marks such words.
    public let isOwnWords: Bool

    /// A text of the manifest.
    public init(_ text: LocalizedText) {
        self.text = text
        isOwnWords = false
    }

    /// An app's own words. Control characters and bidirectional overrides become spaces, and what is over 500 Unicode
    /// scalars is cut off; `nil` when nothing is left.
    ///
    /// Cleaned, not refused as in a manifest: nobody is there to mend it, and a line break is no reason not to ask.
    public init?(ownWords: String) {
        guard let shown = ShownText.cleaned(ownWords, limit: ShownText.longestDescription) else { return nil }
        text = LocalizedText(cleaned: shown)
        isOwnWords = true
    }

    /// The description for a request: the manifest's, or where the app has none its own reason.
    ///
    /// An app with a manifest that is silent about `level` has no description: its own words do not stand in for what
    /// was reviewed.
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
