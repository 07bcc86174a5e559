/// What kind of movement an app follows. It decides when a device counts as being at rest.
public enum ActivityType: String, Sendable, Codable, CaseIterable {
    case other, automotiveNavigation, fitness, otherNavigation, airborne
}
