/// The user and the device of OwnTracks, which are in the topic over MQTT, and in the header and the address's query
/// over HTTP (owntracks.org/booklet/tech/http).
package struct OwnTracksName: Sendable, Equatable {
    /// The user.
    package let user: String
    /// The device.
    package let device: String

    /// Reads the name from a topic, `owntracks/USER/DEVICE`. `nil` if it is none, or has what a header cannot have:
    /// other characters than printable ASCII.
    package init?(topic: String) {
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        let isPrintable = topic.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard parts.count == 3, parts[0] == "owntracks", parts.allSatisfy({ !$0.isEmpty }), isPrintable else {
            return nil
        }
        user = String(parts[1])
        device = String(parts[2])
    }

    /// Returns an address whose query says who this is, unless it does so already.
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
