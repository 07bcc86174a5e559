internal import ForeignText
internal import LocationctlSupport
internal import NMEARelay

/// The accepted announcement, out of all announcements of its name.
struct SenderChoice: Equatable, Sendable {
    /// The announcement with the preferred address: IPv4, then IPv6 that is not link-local.
    let announcement: Announcement
    /// All addresses that the host has been announced with.
    let addresses: Set<IPAddress>

    /// Chooses the announcement of a name, preferring TCP if both protocols are announced.
    ///
    /// Attack: a neighbour announces the name of the user's phone, with another host, another address or another port,
    /// to be accepted in its place. The intended sender cannot be determined, so none is accepted.
    init(of name: String, among all: [Announcement]) throws(Failure) {
        let shown = ForeignText.line(name)
        let named = all.filter { ForeignText.line($0.name) == shown }
        guard !named.isEmpty else {
            throw Failure(
                .failed,
                "nothing in the local network is announced as \(DisplayText.quoted(name)): "
                    + "`locationctl receivers --discover` lists what is")
        }
        let transport: Announcement.Transport = named.contains { $0.transport == .tcp } ? .tcp : .udp
        let candidates = named.filter { $0.transport == transport }
        let hosts = Set(named.map(\.host)).count
        let addresses = Set(named.map(\.address).filter { $0.bytes.count == 4 }).count
        guard hosts == 1, addresses < 2, Set(candidates.map(\.port)).count == 1 else {
            let what =
                hosts > 1
                ? "\(hosts) hosts announce"
                : addresses > 1 ? "\(addresses) addresses belong to" : "several ports belong to"
            throw Failure(
                .failed,
                lines: [
                    "\(what) \(DisplayText.quoted(name)), and which one is meant cannot be known; "
                        + "locationd-nmea(8) says how to name one by hand:"
                ] + named.map(SenderText.summary))
        }
        let preferred = candidates.min { Self.rank($0) < Self.rank($1) }
        announcement = preferred ?? candidates[0]
        self.addresses = Set(named.map(\.address))
    }

    private static func rank(_ announcement: Announcement) -> (Int, String) {
        let rank = announcement.address.bytes.count == 4 ? 0 : announcement.address.isLinkLocal ? 2 : 1
        return (rank, announcement.addressText)
    }
}
