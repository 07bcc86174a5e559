internal import JSON

/// The numbers behind the charts of a section, for the script: it shows those under the pointer.
struct ChartData {
    private var writer = JSONWriter()

    /// Returns a JSON object: the visible span in milliseconds since 1970, the times of the points from its start, the
    /// quantities and the positions on the map at these times, and the line of the map.
    static func json(_ section: ReportSection, _ map: TrackMap?, columns: Int) -> String? {
        guard let span = section.span else { return nil }
        var data = ChartData()
        data.write(section, map, span, section.part.timeline.reduced(to: columns))
        return data.writer.text
    }

    private mutating func write(
        _ section: ReportSection, _ map: TrackMap?, _ span: ClosedRange<Int64>, _ timeline: LogTimeline
    ) {
        let start = timeline.start ?? span.lowerBound
        let indices = timeline.buckets.indices.filter { !timeline.buckets[$0].isEmpty }
        let buckets = indices.map { timeline.buckets[$0] }
        writer.beginObject()
        writer.field("start", section.time.milliseconds(span.lowerBound))
        writer.field("length", span.upperBound - span.lowerBound)
        writer.field("dated", section.time.dateOffset != nil)
        numbers("times", indices.map { start + Int64($0) * timeline.width - span.lowerBound })
        means("speed", buckets.map { $0[.speed].mean }, decimals: 2)
        means("altitude", buckets.map { $0[.altitude].mean }, decimals: 1)
        means("accuracy", buckets.map { $0[.accuracy].mean }, decimals: 2)
        means("used", buckets.map { $0[.satellitesUsed].mean }, decimals: 1)
        means("satellites", buckets.map { $0[.satellitesInView].mean }, decimals: 1)
        means("signal", buckets.map { $0[.signal].mean }, decimals: 1)
        if let map {
            let positions = buckets.map { bucket in bucket.place.map { map.position(of: $0) } }
            means("x", positions.map { $0.map { Double($0.x) } }, decimals: 0)
            means("y", positions.map { $0.map { Double($0.y) } }, decimals: 0)
            let line = map.line.filter { $0.time != nil }
            numbers("lineTimes", line.map { $0.time! - span.lowerBound })
            numbers("lineX", line.map { Int64($0.x) })
            numbers("lineY", line.map { Int64($0.y) })
            numbers("lineStarts", line.indices.filter { line[$0].isStart }.map(Int64.init))
        }
        writer.endObject()
    }

    private mutating func numbers(_ key: StaticString, _ values: [Int64]) {
        writer.key(key)
        writer.beginArray()
        for value in values { writer.value(value) }
        writer.endArray()
    }

    /// Writes numbers, unless there are none.
    private mutating func means(_ key: StaticString, _ values: [Double?], decimals: Int) {
        guard values.contains(where: { $0 != nil }) else { return }
        writer.key(key)
        writer.beginArray()
        for value in values {
            guard let value else {
                writer.null()
                continue
            }
            if decimals > 0 { writer.value(value, decimals: decimals) } else { writer.value(Int64(value.rounded())) }
        }
        writer.endArray()
    }
}
