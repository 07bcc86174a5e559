internal import JSON
internal import LocationModel

extension JSONWriter {
    /// Writes ATT. `heading` is relative to true north, and `mheading`, which gpsd writes from 3.23 on, to magnetic
    /// north.
    mutating func attitude(_ heading: Heading, device: String?) {
        message("ATT") { writer in
            writer.field("device", device)
            writer.time("time", heading.timestamp)
            writer.field("heading", heading.trueHeading, decimals: 3)
            writer.field("mheading", heading.magneticHeading, decimals: 3)
        }
    }
}
