/// An app's entry in the desktop's permission store, in its table of locations.
///
/// An entry is a list of texts: the accuracy, and the last use in seconds since 1970 (xdg-desktop-portal, location.c).
/// GNOME's settings and the portal ignore further texts. The agent adds one: the accuracy that it wrote. So a switch is
/// recognized even if it was used while no agent was running, and a program that writes back a list that it has read
/// earlier switches nothing.
struct PermissionEntry: Equatable {
    /// An accuracy that the agent writes. There are others; a switch in the settings is off for ``off`` alone.
    ///
    /// Attack: a Flatpak with the ID of an app is installed after the app was granted. The portal reads this table
    /// about Flatpaks, and would take `EXACT` or `CITY` for a grant to it. It gives nothing for an accuracy that it
    /// does not know (`gclue_accuracy_level_from_string` in location.c of xdg-desktop-portal 1.16), and GNOME's page
    /// shows that as on.
    enum Accuracy: String {
        case off = "NONE"
        case on = "LOCATIOND"
    }

    private static let mark = "locationd:"

    private let accuracy: String
    /// The last use, as decimal digits.
    let lastUse: String
    /// The accuracy that the agent wrote, or `nil` if another program made the entry.
    private var written: String?

    init(_ accuracy: Accuracy, lastUse: String) {
        self.accuracy = accuracy.rawValue
        self.lastUse = lastUse
        written = self.accuracy
    }

    /// Reads an entry. Returns `nil` if it is too short, and so is ignored by all programs.
    init?(_ texts: [String]) {
        guard texts.count >= 2 else { return nil }
        accuracy = texts[0]
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isTime = (1...12).contains(texts[1].utf8.count) && texts[1].utf8.allSatisfy(digits.contains)
        lastUse = isTime ? texts[1] : "0"
        written = texts.dropFirst(2).first { $0.hasPrefix(Self.mark) }.map { String($0.dropFirst(Self.mark.count)) }
    }

    /// The entry as the store keeps it.
    var texts: [String] { [accuracy, lastUse] + (written.map { [Self.mark + $0] } ?? []) }

    /// Returns the entry as one that the agent wrote, if it is in the place of `earlier` and another program has left
    /// the agent's text out.
    func replacing(_ earlier: PermissionEntry?) -> PermissionEntry {
        var entry = self
        entry.written = written ?? earlier?.written
        return entry
    }

    var isOff: Bool { accuracy == Accuracy.off.rawValue }
    /// A Boolean value indicating whether the agent made the entry.
    var isOwn: Bool { written != nil }
    /// A Boolean value indicating whether another program has switched the app on or off since the agent wrote the
    /// entry.
    var isSwitched: Bool { written.map { ($0 == Accuracy.off.rawValue) != isOff } ?? false }
}
