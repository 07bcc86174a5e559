/// The level of access that an app requests.
public enum RequestedLevel: String, Sendable, Hashable, Codable, CaseIterable {
    case whenInUse, always
}
