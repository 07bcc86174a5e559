/// OwnTracks' user and device: in the topic over MQTT, in the header and the address's query over HTTP
/// (owntracks.org/booklet/tech/http).
package struct OwnTracksName: Sendable, Equatable {
    /// The user.
    package let user: String
    /// The device.
    package let device: String

    /// Parses the name from a topic, `owntracks/USER/DEVICE`. Returns `nil` for another form, or for characters other
    /// than printable ASCII, which a header cannot have.
    package init?(topic: String) {
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        let isPrintable = topic.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard parts.count == 3, parts[0] == "owntracks", parts.allSatisfy({ !$0.isEmpty }), isPrintable else {
            return nil
        }
        user = String(parts[1])
        device = String(parts[2])
    }

    /// Returns an address with the user and the device in its query, unless they are there already.
    func added(to address: String) -> String {
        let query = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
        var names: Set<Substring> = []
        for parameter in (query ?? "").split(separator: "&") { names.insert(parameter.prefix { $0 != "=" }) }
        var form = Form()
        if !names.contains("u") { form.add("u", user) }
        if !names.contains("d") { form.add("d", device) }
        guard !form.text.isEmpty else { return address }
        guard let query else { return address + "?" + form.text }
        return address + (query.isEmpty ? "" : "&") + form.text
    }
}
