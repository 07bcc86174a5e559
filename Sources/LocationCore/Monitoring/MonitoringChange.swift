internal import LocationModel

/// A change of what monitoring keeps on disk.
enum MonitoringChange: Sendable {
    /// In the place of an older one of that app and kind.
    case put(MonitoringRecord)
    case remove(AppKey, MonitoringKind)
    /// In the place of an older one with that identifier.
    case putRegion(RegionRecord)
    case removeRegion(AppKey, identifier: String)
    /// In the place of an older one of that kind and subject.
    case putPending(PendingEvent)
    case removePendingEvent(AppKey, EventKind, subject: String)
    /// All of the app's.
    case forgetPending(AppKey)
    /// In the place of an older one with that arrival.
    case putVisit(VisitRecord)
    case clearVisits(uid: UInt32)
    /// Of all users: those that began before that moment.
    case clearVisitsBefore(Timestamp)
}
