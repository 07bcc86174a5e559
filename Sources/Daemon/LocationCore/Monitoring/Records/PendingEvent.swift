package import LocationModel

/// An event that could not be delivered. The newest of each kind and subject is kept.
package struct PendingEvent: Sendable, Equatable {
    package var app: AppKey
    package var kind: EventKind
    /// A region's identifier, else empty.
    package var subject: String
    /// The event, as JSON.
    package var json: String
}
