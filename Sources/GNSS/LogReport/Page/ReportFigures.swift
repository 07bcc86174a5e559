internal import JSON
internal import LocationModel

/// The figures of a report for programs: seconds, metres, degrees, m/s and Hz. Times are in RFC 3339, or in seconds
/// since midnight of the first day if the log has no date.
struct ReportFigures {
    private var writer = JSONWriter()

    /// Returns the figures as a JSON object.
    static func json(_ sections: [ReportSection]) -> String {
        var figures = ReportFigures()
        figures.write(sections)
        return figures.writer.text
    }

    private mutating func write(_ sections: [ReportSection]) {
        writer.beginObject()
        writer.key("sections")
        writer.beginArray()
        for section in sections { write(section) }
        writer.endArray()
        writer.endObject()
    }

    private mutating func write(_ section: ReportSection) {
        let part = section.part
        writer.beginObject()
        writer.field("heading", section.heading)
        writer.field("format", section.log.format.rawValue)
        writer.field("fixes", Int64(part.fixes))
        if let times = part.times {
            time("start", times.lowerBound, section)
            time("end", times.upperBound, section)
            seconds("duration", times.upperBound - times.lowerBound)
        }
        writer.field("distance", part.odometer.distance)
        seconds("medianInterval", part.intervals.median)
        seconds("interval5", part.intervals.spread?.low)
        seconds("interval95", part.intervals.spread?.high)
        seconds("timeToFirstFix", section.timeToFirstFix)
        seconds("gapThreshold", part.intervals.gapThreshold)
        writer.field("gapCount", Int64(part.intervals.gapCount))
        writer.key("gaps")
        writer.beginArray()
        for gap in part.intervals.gaps {
            writer.beginObject()
            time("start", gap.start, section)
            seconds("duration", gap.milliseconds)
            writer.endObject()
        }
        writer.endArray()
        writer.field("outlierCount", Int64(part.outliers.farthest.count))
        writer.field("standStillCount", Int64(part.standStills.longest.count))
        writer.key("standStills")
        writer.beginArray()
        for still in section.standStills { write(still, section) }
        writer.endArray()
        skipped(section)
        writer.endObject()
    }

    private mutating func write(_ still: StandStills.StandStill, _ section: ReportSection) {
        writer.beginObject()
        time("start", still.start, section)
        seconds("duration", still.milliseconds)
        writer.field("fixes", Int64(still.fixes))
        writer.field("latitude", still.latitude)
        writer.field("longitude", still.longitude)
        writer.field("cep50", still.cep50)
        writer.field("cep95", still.cep95)
        writer.field("cellWidth", still.cellWidth)
        writer.endObject()
    }

    private mutating func skipped(_ section: ReportSection) {
        guard section.isFirst else { return }
        writer.key("skipped")
        writer.beginObject()
        for reason in section.log.skipped {
            writer.key(reason.key)
            writer.value(Int64(clamping: reason.count))
        }
        writer.endObject()
    }

    private mutating func seconds(_ key: StaticString, _ milliseconds: Int64?) {
        writer.field(key, milliseconds.map { Double($0) / 1000 })
    }

    private mutating func time(_ key: StaticString, _ time: Int64, _ section: ReportSection) {
        let milliseconds = section.time.milliseconds(time)
        guard section.time.dateOffset != nil else { return seconds(key, milliseconds) }
        writer.field(key, Timestamp(millisecondsSince1970: milliseconds).description)
    }
}
