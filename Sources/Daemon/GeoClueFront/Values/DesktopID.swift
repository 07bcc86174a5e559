internal import Bus
internal import LocationModel

/// An app's name according to itself: the ID of a desktop file, without `.desktop`.
///
/// It is a label for the prompt and for error texts. Attack: an app sets the ID of an app that was granted the
/// location. So the identity of an app comes from the kernel (``AppIdentity``), and nothing is looked up by this name.
struct DesktopID: Equatable {
    /// The maximum length in bytes, as for a file name.
    static let maximumLength = 255

    let text: String

    init(_ text: String) throws(BusError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw BusError(.invalidArguments, "A DesktopId has at most \(Self.maximumLength) bytes")
        }
        self.text = text
    }

    /// Returns the text for the prompt, which marks it as the app's own words.
    static func ownWords(_ label: String) -> String { "Calls itself \(label)." }
}
