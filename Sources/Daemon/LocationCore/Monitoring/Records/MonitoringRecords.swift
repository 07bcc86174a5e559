/// All monitoring data that is stored on the disk.
struct MonitoringRecords: Sendable, Equatable {
    var monitorings: [MonitoringRecord] = []
    var regions: [RegionRecord] = []
    /// The events that could not be delivered, in the order they were stored.
    var pending: [PendingEvent] = []
    /// The visits by user, the oldest first.
    var visits: [VisitRecord] = []
}
