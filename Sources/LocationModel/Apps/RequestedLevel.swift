/// What an app asks for.
public enum RequestedLevel: String, Sendable, Hashable, Codable, CaseIterable {
    case whenInUse, always
}
