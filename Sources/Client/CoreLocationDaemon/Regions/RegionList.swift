internal import LocationClient
internal import LocationModel

/// The app's regions: the daemon's list with the app's own changes, which the daemon may not have handled yet.
///
/// A change counts from the call until the daemon's answer. The daemon answers in the order of the requests, so a list
/// that arrives later includes the change.
struct RegionList {
    /// The regions by identifier, including those that wait for the user's grant.
    private(set) var regions: [String: Region] = [:]
    /// The regions that the daemon no longer has. Its grant may have ended in the meantime, and a new grant starts
    /// them again.
    private var dropped: [String: Region] = [:]
    /// The number of unanswered changes, by region identifier.
    private var unanswered: [String: Int] = [:]
    /// The identifiers of the regions that the daemon has refused because the app may not monitor regions.
    private var refusals: Set<String> = []

    /// The regions that the daemon has refused because the app may not monitor regions.
    var refused: [Region] { wanted.filter { refusals.contains($0.identifier) } }

    /// The regions to start with a new grant.
    var wanted: [Region] { regions.merging(dropped) { region, _ in region }.values.map(\.self) }

    /// Adds a region that is about to be started. Returns the region it replaces.
    mutating func starts(_ region: Region) -> Region? {
        unanswered[region.identifier, default: 0] += 1
        dropped[region.identifier] = nil
        return regions.updateValue(region, forKey: region.identifier)
    }

    /// Removes a region that is about to be stopped.
    mutating func stops(_ identifier: String) {
        unanswered[identifier, default: 0] += 1
        dropped[identifier] = nil
        regions[identifier] = nil
        refusals.remove(identifier)
    }

    /// Handles the answer to a start or a stop.
    ///
    /// - Parameter isRefused: A Boolean value indicating whether a start was refused because the app may not monitor
    ///   regions.
    mutating func answered(_ identifier: String, isRefused: Bool = false) {
        if isRefused { refusals.insert(identifier) } else { refusals.remove(identifier) }
        guard let count = unanswered[identifier] else { return }
        unanswered[identifier] = count > 1 ? count - 1 : nil
    }

    /// Puts back the region that a failed start has replaced, or none, unless the region has changed again.
    mutating func restore(_ before: Region?, insteadOf region: Region) {
        if regions[region.identifier] == region { regions[region.identifier] = before }
    }

    /// Handles the daemon's list.
    ///
    /// - Parameter isComplete: A Boolean value indicating whether the app may monitor regions. Otherwise, regions that
    ///   are not in the list wait for that.
    mutating func received(_ listed: [Region], isComplete: Bool) {
        let answered = listed.filter { unanswered[$0.identifier] == nil }
        for region in answered {
            regions[region.identifier] = region
            dropped[region.identifier] = nil
        }
        guard isComplete else { return }
        let names = Set(answered.map(\.identifier))
        for (identifier, region) in regions where unanswered[identifier] == nil && !names.contains(identifier) {
            regions[identifier] = nil
            dropped[identifier] = region
        }
    }
}
