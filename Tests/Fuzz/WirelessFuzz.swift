import Linux
import Positioning

@testable import Surroundings

/// Passes messages of the kernel's to the parser of Wi-Fi's lists and events. The family has the id 33, the request the
/// number 9, and the socket the address 4,711.
func fuzzWireless(_ input: [UInt8]) {
    guard let messages = NetlinkMessage.list(input) else { return }
    let part = try? KernelListPart(input, sequence: 9, port: 4711)
    precondition((part?.messages.count ?? 0) <= messages.count)
    var surroundings = KernelSurroundings(EmitterHash(secret: Array(0..<32)))
    var networks: [KernelNetwork] = []
    for message in messages {
        if let event = NL80211.event(message, family: 33), event == .scan { surroundings.scanEnded(at: 100) }
        guard let entry = GenericMessage(message) else { continue }
        if let family = GenericFamily(entry, named: NL80211.name) { precondition(family.groups.count <= input.count) }
        guard let network = KernelNetwork(entry) else { continue }
        precondition(network.address.count == 6 && 0...1 ~= network.strength && network.age >= 0)
        networks.append(network)
    }
    surroundings.willList()
    let report = surroundings.report(networks, at: 101)
    precondition(report.links.count <= networks.count && (report.scan?.count ?? 0) <= networks.count)
    precondition(surroundings.report(networks, at: 102).scan == nil)
}
