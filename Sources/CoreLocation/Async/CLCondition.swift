/// A condition that a ``CLMonitor`` can monitor.
public protocol CLCondition: Decodable, Encodable, Sendable {}
