/// What a ``CLMonitor`` watches.
public protocol CLCondition: Decodable, Encodable, Sendable {}
