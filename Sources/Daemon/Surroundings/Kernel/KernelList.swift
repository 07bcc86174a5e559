internal import Linux

/// The networks that the kernel has heard lately, and the id of nl80211, for its events.
struct KernelList {
    let family: UInt16
    let networks: [KernelNetwork]
}

/// The reason why the kernel's networks are not known, for users.
enum KernelFault: Error, Equatable, CustomStringConvertible {
    case noWireless
    case tooMany
    /// The kernel's answer is not one.
    case malformed
    /// A call, or a request for a list, has failed.
    case failed(SystemCallError)

    var description: String {
        switch self {
        case .noWireless: "the kernel has no wireless interface"
        case .tooMany: "the kernel lists more than \(NetworkObject.maximumCount) networks"
        case .malformed: "the kernel's list of networks cannot be read"
        case .failed(let error): "the kernel does not list its networks: \(error)"
        }
    }
}

/// Reads the kernel's lists. It needs no capability, and has nothing scanned.
///
/// The kernel answers as the answers are received. But it waits for locks that drivers hold while they wait for their
/// devices, so this is done on a thread.
struct KernelListReader {
    /// The greatest number of interfaces that are asked about.
    private static let maximumInterfaces = 16
    /// The greatest number of parts of a list: each has an entry at least, besides the last one.
    private static let maximumParts = 2 * NetworkObject.maximumCount

    private let socket: NetlinkSocket
    private var sequence: UInt32 = 0

    init() throws(KernelFault) {
        socket = try Self.checked { () throws(SystemCallError) in try NetlinkSocket(NetlinkSocket.generic) }
    }

    /// Subscribes `subscriber` to the events of nl80211, and returns the networks. So an event that is later than the
    /// list arrives there.
    static func list(subscribing subscriber: NetlinkSocket) -> Result<KernelList, KernelFault> {
        do throws(KernelFault) {
            var reader = try KernelListReader()
            guard let family = try reader.family(named: NL80211.name) else { throw KernelFault.noWireless }
            for (name, group) in family.groups where NL80211.groups.contains(name) {
                try checked { () throws(SystemCallError) in try subscriber.join(group) }
            }
            return .success(KernelList(family: family.id, networks: try reader.networks(family.id)))
        } catch {
            return .failure(error)
        }
    }

    /// Returns a family of generic netlink, or `nil` if the kernel has none of that name. The list of all of them is
    /// read, since a question about one has the kernel load its module.
    mutating func family(named name: String) throws(KernelFault) -> GenericFamily? {
        var found: GenericFamily?
        try read(GenericMessage.getFamily, of: GenericMessage.control) {
            found = found ?? GenericFamily($0, named: name)
            return true
        }
        return found
    }

    private mutating func networks(_ family: UInt16) throws(KernelFault) -> [KernelNetwork] {
        let interfaces = try stations(family)
        guard !interfaces.isEmpty else { throw KernelFault.noWireless }
        var networks: [KernelNetwork] = []
        for interface in interfaces {
            try read(NL80211.getScan, of: family, interface: interface) {
                if let network = KernelNetwork($0) { networks.append(network) }
                return networks.count <= NetworkObject.maximumCount
            }
        }
        return networks
    }

    private mutating func stations(_ family: UInt16) throws(KernelFault) -> [UInt32] {
        var interfaces: [UInt32] = []
        try read(NL80211.getInterface, of: family) { message in
            let attributes = message.attributes
            if message.command == NL80211.interface,
                let type = attributes[type: NL80211.interfaceType]?.number(UInt32.self),
                NL80211.stations.contains(type),
                let index = attributes[type: NL80211.interfaceIndex]?.number(UInt32.self),
                interfaces.count < Self.maximumInterfaces
            {
                interfaces.append(index)
            }
            return true
        }
        return interfaces
    }

    /// Reads a list.
    ///
    /// - Parameter body: Reads an entry, and returns whether to go on.
    private mutating func read(
        _ command: UInt8, of family: UInt16, interface: UInt32? = nil, _ body: (GenericMessage) -> Bool
    ) throws(KernelFault) {
        sequence += 1
        let (socket, number) = (socket, sequence)
        let request = GenericMessage.request(command, of: family, sequence: number, interface: interface)
        try Self.checked { () throws(SystemCallError) in try socket.send(request) }
        let port = try Self.checked { () throws(SystemCallError) in try socket.port() }
        for _ in 0..<Self.maximumParts {
            guard let bytes = try Self.checked({ () throws(SystemCallError) in try socket.receive() }) else {
                throw .malformed
            }
            let part = try KernelListPart(bytes, sequence: number, port: port)
            for message in part.messages where !body(message) { throw .tooMany }
            if part.isLast { return }
        }
        throw .tooMany
    }

    private static func checked<Value>(
        _ body: () throws(SystemCallError) -> Value
    ) throws(KernelFault) -> Value {
        do throws(SystemCallError) { return try body() } catch { throw .failed(error) }
    }
}

/// A part of a list.
struct KernelListPart {
    let messages: [GenericMessage]
    let isLast: Bool

    /// Reads a part of the answer to a request. Other messages are left out.
    ///
    /// - Parameters:
    ///   - sequence: The number of the request.
    ///   - port: The address of the socket that has sent it.
    init(_ bytes: [UInt8], sequence: UInt32, port: UInt32) throws(KernelFault) {
        guard let all = NetlinkMessage.list(bytes) else { throw .malformed }
        var (messages, isLast) = ([GenericMessage](), false)
        for message in all where message.sequence == sequence && message.port == port {
            guard [NetlinkMessage.error, NetlinkMessage.done].contains(message.type) else {
                guard let entry = GenericMessage(message) else { throw .malformed }
                messages.append(entry)
                continue
            }
            // struct nlmsgerr of linux/netlink.h, or the status alone: 0 or the negated errno.
            guard message.contents.count >= 4 else { throw .malformed }
            let status = message.contents.native(Int32.self, at: message.contents.startIndex)
            guard status >= 0 else { throw .failed(SystemCallError("NLM_F_DUMP", 0 &- status)) }
            isLast = true
        }
        (self.messages, self.isLast) = (messages, isLast)
    }
}
