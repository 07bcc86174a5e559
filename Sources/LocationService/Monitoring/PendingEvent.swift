internal import LocationModel

/// An event that could not be delivered. Of one method and subject the newest is kept.
struct PendingEvent: Sendable, Equatable {
    var app: AppKey
    /// The method that would have replied it.
    var method: String
    /// A region's identifier, else empty.
    var subject: String
    /// JSON text: what the method would have replied.
    var parameters: String
}
