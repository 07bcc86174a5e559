internal import JSON

/// The numbers behind the charts of a section. The page's script shows the numbers under the pointer.
struct ChartData {
    private var writer = JSONWriter()

    /// Returns a JSON object: the visible span in milliseconds since 1970, the times of the points since its start, the
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
        differences("times", indices.map { start + Int64($0) * timeline.width - span.lowerBound })
        means("speed", buckets.map { $0[.speed].mean }, decimals: 2)
        means("altitude", buckets.map { $0[.altitude].mean }, decimals: 1)
        means("accuracy", buckets.map { $0[.accuracy].mean }, decimals: 2)
        means("used", buckets.map { $0[.satellitesUsed].mean }, decimals: 1)
        means("satellites", buckets.map { $0[.satellitesInView].mean }, decimals: 1)
        means("signal", buckets.map { $0[.signal].mean }, decimals: 1)
        if let map { write(map, span, buckets) }
        writer.endObject()
    }

    /// Writes the map's size and plane, the positions at the times, and the line.
    private mutating func write(_ map: TrackMap, _ span: ClosedRange<Int64>, _ buckets: [Bucket]) {
        writer.key("map")
        writer.beginObject()
        writer.field("width", map.width)
        writer.field("height", map.height)
        writer.field("unit", map.unit)
        vector("middle", [map.middle.east, map.middle.north])
        vector("origin", [map.plane.origin.vector.x, map.plane.origin.vector.y, map.plane.origin.vector.z])
        vector("east", [map.plane.eastwards.x, map.plane.eastwards.y, map.plane.eastwards.z])
        vector("north", [map.plane.northwards.x, map.plane.northwards.y, map.plane.northwards.z])
        writer.endObject()
        let places = buckets.map(\.place)
        let positions = places.map { $0.map { map.position(of: $0) } }
        differences("x", positions.map { $0.map { Int64($0.x) } })
        differences("y", positions.map { $0.map { Int64($0.y) } })
        let coordinates = places.map { $0?.coordinates }
        differences("latitude", coordinates.map { $0.map { Int64(($0.latitude * 1e5).rounded()) } })
        differences("longitude", coordinates.map { $0.map { Int64(($0.longitude * 1e5).rounded()) } })
        let line = map.line.filter { $0.time != nil }
        differences("lineTimes", line.map { $0.time! - span.lowerBound })
        differences("lineX", line.map { Int64($0.x) })
        differences("lineY", line.map { Int64($0.y) })
        array("lineStarts", line.indices.filter { line[$0].isStart }) { $0.value(Int64($1)) }
    }

    private mutating func vector(_ key: StaticString, _ values: [Double]) {
        array(key, values) { $0.value($1) }
    }

    /// Writes each number as the difference from the previous known number: differences are short.
    private mutating func differences(_ key: StaticString, _ values: [Int64?]) {
        var last: Int64 = 0
        array(key, values) { writer, value in
            writer.value(value - last)
            last = value
        }
    }

    /// Writes numbers, unless all of them are absent.
    private mutating func means(_ key: StaticString, _ values: [Double?], decimals: Int) {
        guard values.contains(where: { $0 != nil }) else { return }
        array(key, values) { $0.value($1, decimals: decimals) }
    }

    /// Writes an array, with null for `nil`.
    private mutating func array<Value>(
        _ key: StaticString, _ values: [Value?], write: (inout JSONWriter, Value) -> Void
    ) {
        writer.key(key)
        writer.beginArray()
        for value in values {
            if let value { write(&writer, value) } else { writer.null() }
        }
        writer.endArray()
    }
}
