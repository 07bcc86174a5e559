/// The search for announcements: turns Avahi's reports into results to show.
///
/// It browses for each service's records instead of resolving the service. Attack: a second host announces the name of
/// the user's phone. Avahi resolves a name to only one of its hosts, and the other one would not be seen.
package struct Discovery {
    /// A service found by the search: one for each interface and address family with an announcement.
    package struct Service: Sendable, Hashable {
        /// The number of the interface.
        package let interface: Int32
        /// The address family, in Avahi's numbers: 0 for IPv4, 1 for IPv6.
        package let family: Int32
        package let name: String
        package let transport: Announcement.Transport

        package init(interface: Int32, family: Int32, name: String, transport: Announcement.Transport) {
            self.interface = interface
            self.family = family
            self.name = name
            self.transport = transport
        }
    }

    /// A host that announces a service.
    package struct Target: Sendable, Hashable {
        package let service: Service
        package let record: ServiceRecord
    }

    /// An action in response to an event.
    package enum Action: Equatable {
        /// Browse for the SRV records of a service.
        case browse(Service)
        /// Resolve the name of a host to an address.
        case resolve(Target)
    }

    /// The maximum number of services. A service announced over IPv4 and IPv6 counts twice.
    ///
    /// Attack: a neighbour announces thousands of names.
    package static let maximumServices = 100
    /// The maximum number of hosts to resolve.
    package static let maximumTargets = 200

    private enum Step: Hashable {
        case services(Announcement.Transport)
        case records(Service)
        case address(Target)
    }

    /// The steps in progress.
    private var open: Set<Step> = Set(Announcement.Transport.allCases.map { .services($0) })
    private var services: Set<Service> = []
    private var targets: Set<Target> = []
    private var found: Set<Announcement> = []
    /// The number of unusable announcements, hosts and records.
    package private(set) var unusable = 0
    /// A Boolean value indicating whether a limit has been reached, so that the result is incomplete.
    package private(set) var isCut = false

    /// Creates a search that starts with all services.
    package init() {}

    /// A Boolean value indicating whether every step has been answered.
    package var isComplete: Bool { open.isEmpty }

    /// The announcements found so far, sorted by name, transport, host and address.
    package var announcements: [Announcement] {
        found.sorted {
            ($0.name, $0.transport.rawValue, $0.host, "\($0.address)", $0.interface)
                < ($1.name, $1.transport.rawValue, $1.host, "\($1.address)", $1.interface)
        }
    }

    /// Handles the discovery of a service.
    package mutating func found(_ service: Service) -> [Action] {
        guard Announcement.isName(service.name) else {
            unusable += 1
            return []
        }
        guard !services.contains(service) else { return [] }
        guard services.count < Self.maximumServices else {
            isCut = true
            return []
        }
        services.insert(service)
        open.insert(.records(service))
        return [.browse(service)]
    }

    /// Handles the end of the search for services, or its failure.
    package mutating func ended(_ transport: Announcement.Transport) { open.remove(.services(transport)) }

    /// Handles the data of an SRV record of a service.
    package mutating func found(record data: [UInt8], of service: Service) -> [Action] {
        guard let record = ServiceRecord(data: data) else {
            unusable += 1
            return []
        }
        let target = Target(service: service, record: record)
        guard services.contains(service), !targets.contains(target) else { return [] }
        guard targets.count < Self.maximumTargets else {
            isCut = true
            return []
        }
        targets.insert(target)
        open.insert(.address(target))
        return [.resolve(target)]
    }

    /// Handles the end of the search for a service's records, or its failure.
    package mutating func ended(_ service: Service) { open.remove(.records(service)) }

    /// Handles the resolved address of a host; `nil` if it has none.
    ///
    /// - Parameter interface: The name of the interface.
    package mutating func resolved(_ target: Target, address: String?, interface: String) {
        guard open.remove(.address(target)) != nil else { return }
        let announcement = address.flatMap { IPAddress(parsing: $0) }.flatMap {
            Announcement(
                name: target.service.name, transport: target.service.transport, host: target.record.host, address: $0,
                port: target.record.port, interface: interface)
        }
        guard let announcement else { return unusable += 1 }
        found.insert(announcement)
    }
}
