/// What kind of movement an app follows. It decides when a device counts as being at rest.
public enum ActivityType: String, Sendable, Codable, CaseIterable {
    /// Anything else: at rest after 180 s.
    case other
    /// On the road: at rest after 120 s.
    case automotiveNavigation
    /// Walking, running, cycling: at rest after 60 s.
    case fitness
    /// On water or rails: at rest after 120 s.
    case otherNavigation
    /// Flying: never at rest.
    case airborne
}
