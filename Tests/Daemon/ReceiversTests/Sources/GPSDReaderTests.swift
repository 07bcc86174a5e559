import LocationModel
import NIOCore
import NMEA
import Testing

@testable import Receivers

struct GPSDReaderTests {
    private static let log = """
        {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
        {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2026-03-14T09:00:00.000Z"}]}
        {"class":"SKY","device":"/dev/ttyACM0","xdop":0.4,"ydop":0.7,"vdop":1.4,"hdop":0.9,"pdop":99.99,"nSat":4,"uSat":1,\
        "satellites":[{"PRN":1,"el":53.0,"az":280.0,"ss":36.0,"used":true,"gnssid":0,"svid":1,"sigid":0},\
        {"PRN":1,"el":53.0,"az":280.0,"ss":41.0,"used":false,"gnssid":0,"svid":1,"sigid":4},\
        {"PRN":70,"el":91.0,"az":360.0,"ss":0.0,"used":false,"gnssid":6,"svid":6},{"PRN":322,"used":false}]}
        {"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"time":"2026-03-14T09:26:53.120Z","lat":59.327578333,\
        "lon":-18.078351167,"altHAE":23.3,"altMSL":-0.1,"epx":6.3,"epy":10.9,"epv":29.2,"track":140.17,"speed":3.011,\
        "dgpsAge":4.5,"dgpsSta":120}
        {"class":"GST","device":"/dev/ttyACM0","time":"2026-03-14T09:26:53.120Z","major":3.0,"minor":2.0,"lat":2.5,"alt":4.5}
        {"class":"ATT","device":"/dev/ttyACM0",,"time":"2026-03-14T09:26:53.120Z""heading":101.5,"mag_st":"N","depth":2.5}
        {"class":"ATT","device":"/dev/ttyACM0","heading":360.0,"mheading":3.25,"rot":1.0}
        {"class":"ATT","device":"/dev/ttyACM0","heading":14223.00,"mheading":"x","pitch":-1.5}
        {"class":"TPV","device":"/dev/ttyACM0","mode":1,"magvar":-3.1,"dgpsAge":-1}
        {"class":"DEVICE","path":"/dev/ttyACM0","activated":0}

        """

    /// gpsd-317-alt.json: gpsd up to 3.18 only has the altitude above mean sea level.
    @Test func theAltitudeOfOldServers() throws {
        let line = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":48.1,"lon":11.5,"alt":545.4,"epv":9.2}"#
        guard case .position(let position)? = read([Array((line + "\r\n").utf8)]).reports.first else {
            Issue.record("no position")
            return
        }
        #expect(position.altitude == 545.4 && position.ellipsoidalAltitude == nil)
        var epochs = GPSDEpochs(receiver: "r")
        var dated = position
        dated.time = 1_774_267_200_000
        let fix = epochs.fix(dated, at: .uptimeNanoseconds(0)) { Timestamp(millisecondsSince1970: 0) }
        #expect(fix?.location.verticalAccuracy.map { abs($0 - 4.67) < 0.01 } == true)
        // Later versions do not say what `alt` refers to.
        let newer = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":48.1,"lon":11.5,"alt":592.3,"altHAE":592.3}"#
        guard case .position(let other)? = read([Array((newer + "\n").utf8)]).reports.first else {
            Issue.record("no position")
            return
        }
        #expect(other.altitude == nil && other.ellipsoidalAltitude == 592.3)
    }

    @Test func countsOfSatellitesWithoutAList() {
        let lines = """
            {"class":"SKY","device":"/dev/a","hdop":0.9,"nSat":12,"uSat":7}
            {"class":"SKY","device":"/dev/a","uSat":-1,"nSat":99999}

            """
        let skies = read([Array(lines.utf8)]).reports.compactMap { if case .sky(let sky) = $0 { sky } else { nil } }
        #expect(skies.map(\.satellitesUsed) == [7, nil] && skies.map(\.satellitesInView) == [12, 0])
    }

    /// Servers other than gpsd write JSON with blanks.
    @Test func blanksBetweenThePartsDoNotMatter() {
        let line =
            "{ \"class\" : \"TPV\", \"device\": \"/dev/a b\\\" c\",\t\"mode\": 3, \"lat\": 48.1, \"lon\": 11.5 }\r\n"
        guard case .position(let position)? = read([Array(line.utf8)]).reports.first else {
            Issue.record("no position")
            return
        }
        #expect(position.mode == 3 && position.latitude == 48.1 && position.device.hasPrefix("/dev/a b"))
        #expect(read([Array("{\"class\": \"VERSION\", \"release\": \"1\"}\n".utf8)]).reports == [.version])
    }

    private func read(_ chunks: [[UInt8]]) -> (reports: [GPSDReport], satellites: [Satellite], overlong: Int) {
        var reader = GPSDReader()
        var reports: [GPSDReport] = []
        for chunk in chunks {
            var offset = 0
            while let report = reader.next(in: chunk.span.bytes, at: &offset) { reports.append(report) }
        }
        return (reports, reader.satellites, reader.overlongLines)
    }

    private static let reports: [GPSDReport] = {
        var sky = GPSDReport.Sky(device: "/dev/ttyACM0")
        sky.satellitesUsed = 1
        sky.hdop = 0.9
        sky.vdop = 1.4
        sky.satellitesInView = 4
        var position = GPSDReport.Position(device: "/dev/ttyACM0", time: 1_773_480_413_120, mode: 3)
        position.quality = .differential
        position.correctionAge = 4.5
        position.latitude = 59.327578333
        position.longitude = -18.078351167
        position.altitude = -0.1
        position.ellipsoidalAltitude = 23.3
        position.eastError = 6.3
        position.northError = 10.9
        position.verticalError = 29.2
        position.course = 140.17
        position.speed = 3.011
        var errors = GPSDReport.Errors(device: "/dev/ttyACM0", time: 1_773_480_413_120)
        errors.major = 3
        errors.minor = 2
        errors.north = 2.5
        errors.up = 4.5
        return [
            .version, .sky(sky), .position(position), .errors(errors),
            .attitude(GPSDReport.Attitude(device: "/dev/ttyACM0", trueHeading: 101.5)),
            .attitude(GPSDReport.Attitude(device: "/dev/ttyACM0", trueHeading: 0, magneticHeading: 3.25)),
            .attitude(GPSDReport.Attitude(device: "/dev/ttyACM0")),
            .position(GPSDReport.Position(device: "/dev/ttyACM0", mode: 1, magneticVariation: -3.1)),
            .device(path: "/dev/ttyACM0", isActive: false),
        ]
    }()

    @Test func reportsContainOnlyWhatWasSent() {
        let (reports, satellites, _) = read([Array(Self.log.utf8)])
        #expect(reports == Self.reports)
        var gps = Satellite(constellation: .gps, number: 1, used: true)
        gps.elevation = 53
        gps.azimuth = 280
        gps.signalStrength = 41
        // 360 degrees are 0, and an elevation of 91 is invalid.
        var glonass = Satellite(constellation: .glonass, number: 6)
        glonass.azimuth = 0
        #expect(
            satellites == [
                gps, glonass, Satellite(constellation: nil, number: 322),
            ])
    }

    @Test func whereTheBytesAreCutMakesNoDifference() {
        #expect(read(Self.log.utf8.map { [$0] }).reports == Self.reports)
    }

    @Test func invalidLinesAreSkippedHoweverLong() {
        let noise = [
            "", "\r", "nonsense", "{", "{\"class\":\"TPV\"", "{\"class\":\"TPV\",\"mode\":\"x\"}",
            "{\"class\":\"ERROR\"}", "{\"class\":\"ATT\",,\"time\":\"", "{\"class\":\"ATT\",\"mheading\":",
            "{\"class\":\"TPV\",\"mode\":3}\u{b6}{\"class\":\"DEVICE\",\"path\":\"/dev/ttyACM0\",\"activate+\":0}",
            "{\"class\":\"TPV\",\"lat\":[[[[", "{\"class\":\"SKY\",\"satellites\":[{]}]}", "\0\0\0",
            "{\"class\":\"TPV\",\"device\":\"" + String(repeating: "x", count: 100_000),
            "{\"class\":\"TPV\",\"x\":" + String(repeating: "[", count: 16000),
        ]
        let (reports, _, overlong) = read([Array((noise.joined(separator: "\n") + "\n" + Self.log).utf8)])
        // libgps accepts a report that it cannot parse at all, as a report without any values.
        let empty: [GPSDReport] = [
            .position(GPSDReport.Position()), .sky(GPSDReport.Sky()), .attitude(GPSDReport.Attitude()),
        ]
        #expect(reports.filter { !empty.contains($0) } == Self.reports)
        #expect(overlong == 1)
    }

    @Test func anyBytesAreRead() {
        var random = SeededRandom(seed: 11)
        let log = Array(Self.log.utf8)
        for _ in 0..<500 {
            var bytes = log
            for _ in 0..<20 {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            #expect(read([bytes]).reports.count <= 30)
        }
    }
}
