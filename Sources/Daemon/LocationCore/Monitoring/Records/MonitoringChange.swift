internal import LocationModel

/// A change of the monitoring data on the disk.
enum MonitoringChange: Sendable {
    /// A record, which replaces an older one of that app and kind.
    case put(MonitoringRecord)
    case remove(AppKey, MonitoringKind)
    /// A region, which replaces an older one of that app with the same identifier.
    case putRegion(RegionRecord)
    case removeRegion(AppKey, identifier: String)
    /// An event, which replaces an older one of that app, kind and subject.
    case putPending(PendingEvent)
    case removePendingEvent(AppKey, EventKind, subject: String)
    /// The removal of all pending events of an app.
    case removePendingEvents(AppKey)
    /// The removal of everything that an app has registered, and of its pending events.
    case removeApp(AppKey)
    /// A visit, which replaces an older one of that user with the same arrival.
    case putVisit(VisitRecord)
    case clearVisits(uid: UInt32)
    /// The removal of all users' visits that began before this moment.
    case clearVisitsBefore(Timestamp)
}
