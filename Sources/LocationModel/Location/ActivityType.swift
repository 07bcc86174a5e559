/// The kind of movement that an app follows. It determines when the device counts as stationary.
public enum ActivityType: String, Sendable, Codable, CaseIterable {
    /// Anything else: stationary after 180 s.
    case other
    /// Travel by road: stationary after 120 s.
    case automotiveNavigation
    /// Walking, running or cycling: stationary after 60 s.
    case fitness
    /// Travel by water or rail: stationary after 120 s.
    case otherNavigation
    /// Flight: never stationary.
    case airborne
}
