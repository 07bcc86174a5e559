/// Everything that monitoring keeps on disk.
struct MonitoringRecords: Sendable, Equatable {
    var monitorings: [MonitoringRecord] = []
    var regions: [RegionRecord] = []
    /// Those that were put first come first.
    var pending: [PendingEvent] = []
    /// By user, the oldest first.
    var visits: [VisitRecord] = []
}
