import CGPS
import JSON
import LocationModel
import NMEA
import Receivers
import Testing

@testable import GPSDFront
@testable import LocationCore

/// Messages, compared with the lines that gpsd 3.22 wrote for the same sentences.
@Suite struct MessageTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return writer.text
    }

    @Test func theServer() {
        let release = String(cString: cgps_release())
        let protocols = ["3.22": (3, 14), "3.25": (3, 15), "3.27.5": (16, 1)]
        guard let (major, minor) = protocols[release] else {
            Issue.record("which protocol gpsd \(release) states is not known: see CGPS")
            return
        }
        let version =
            #"{"class":"VERSION","release":"\#(release)","rev":"\#(release)","#
            + #""proto_major":\#(major),"proto_minor":\#(minor)}"#
        #expect(text { $0.version() } == version)
        #expect(text { $0.error("a \"b\"\n") } == #"{"class":"ERROR","message":"a \"b\"\n"}"#)
    }

    @Test func policies() {
        let rest = #""scaled":false,"timing":false,"split24":false,"pps":"#
        #expect(
            text { $0.watch(WatchPolicy(isEnabled: true, json: true)) }
                == #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,\#(rest)false}"#)
        #expect(
            text { $0.watch(WatchPolicy(isEnabled: true, nmea: true, raw: 2, pps: true, device: "/dev/a")) }
                == #"{"class":"WATCH","enable":true,"json":false,"nmea":true,"raw":2,\#(rest)true,"device":"/dev/a"}"#)
    }

    @Test func devices() {
        let active =
            #"{"class":"DEVICE","path":"/dev/ttyUSB0","driver":"NMEA0183","activated":"2026-11-21T12:03:10.000Z","#
            + #""flags":1,"native":0,"bps":9600,"parity":"N","stopbits":1,"cycle":1.00}"#
        #expect(text { $0.device(Samples.device()) } == active)
        let idle = #"{"class":"DEVICE","path":"/dev/ttyUSB1","driver":"NMEA0183","stopbits":1}"#
        #expect(
            text { $0.devices([Samples.device(), Samples.device(1, active: false)]) }
                == #"{"class":"DEVICES","devices":[\#(active),\#(idle)]}"#)
        #expect(text { $0.devices([]) } == #"{"class":"DEVICES","devices":[]}"#)
        #expect(text { $0.deviceGone(path: "/dev/a") } == #"{"class":"DEVICE","path":"/dev/a","activated":0}"#)
    }

    @Test func aFixOfThreeDimensions() throws {
        let fix = try #require(Samples.report().fix)
        var location = fix.location
        location.correctionAge = 2.5
        let position = PositionMessage(location, fix: fix, device: "/dev/ttyUSB0")
        #expect(
            text { $0.position(position) }
                == #"{"class":"TPV","device":"/dev/ttyUSB0","status":2,"mode":3,"time":"2026-11-21T12:03:10.000Z","#
                + #""ept":0.005,"lat":47.500000000,"lon":8.750000000,"altHAE":447.0000,"altMSL":400.0000,"alt":400.0000,"#
                + #""epx":2.592,"epy":2.592,"epv":5.880,"track":83.4000,"speed":6.431,"epd":1.9600,"eps":0.98,"#
                + #""geoidSep":47.000,"eph":3.240,"dgpsAge":2.5}"#)
    }

    /// gpsd has these from two epochs for receivers that do not report them.
    @Test func theClimbAndItsError() throws {
        let location = Samples.location
        var earlier = location
        earlier.timestamp = Timestamp(millisecondsSince1970: location.timestamp.millisecondsSince1970 - 2000)
        earlier.ellipsoidalAltitude = 450
        let climb = try #require(Climb(from: earlier, to: location))
        #expect(climb.metersPerSecond == -1.5 && climb.error == 5.88)
        let line = text {
            $0.position(
                PositionMessage(location, fix: Fix(location: location, dimension: .three), device: nil, climb: climb))
        }
        #expect(
            line.contains(#""speed":6.431,"climb":-1.500,"epd":1.9600,"eps":0.98,"epc":5.88,"geoidSep":47.000,"#),
            "\(line)")
        // Not in two dimensions, over a gap, backwards in time, or between two receivers.
        let flat = Fix(location: location, dimension: .two)
        #expect(
            !text { $0.position(PositionMessage(location, fix: flat, device: nil, climb: climb)) }.contains("climb"))
        #expect(Climb(from: location, to: earlier) == nil && Climb(from: location, to: location) == nil)
        var other = earlier
        other.receiver = "ttyUSB1"
        #expect(Climb(from: other, to: location) == nil)
        earlier.timestamp = Timestamp(millisecondsSince1970: location.timestamp.millisecondsSince1970 - 11_000)
        #expect(Climb(from: earlier, to: location) == nil)
    }

    /// The error of a time from this machine's clock is not known.
    @Test func aTimeOfThisMachineHasNoError() {
        let fix = Fix(location: Samples.location, dating: .arrival)
        #expect(!text { $0.position(PositionMessage(Samples.location, fix: fix, device: nil)) }.contains("ept"))
    }

    @Test func aFixOfTwoDimensions() {
        let fix = Fix(location: Samples.location, dimension: .two)
        #expect(
            text { $0.position(PositionMessage(Samples.location, fix: fix, device: nil)) }
                == #"{"class":"TPV","mode":2,"time":"2026-11-21T12:03:10.000Z","ept":0.005,"lat":47.500000000,"lon":8.750000000,"#
                + #""epx":2.592,"epy":2.592,"track":83.4000,"speed":6.431,"epd":1.9600,"eps":0.98,"eph":3.240}"#)
    }

    @Test func aReducedLocation() {
        #expect(
            text { $0.position(PositionMessage(Samples.cell, fix: nil, device: "/dev/ttyUSB0")) }
                == #"{"class":"TPV","device":"/dev/ttyUSB0","mode":2,"time":"2026-11-21T12:03:10.000Z","#
                + #""lat":-47.500000000,"lon":-8.750000000,"epx":6480.000,"epy":6480.000,"eph":8100.000}"#)
    }

    @Test func noFix() {
        #expect(
            text { $0.position(PositionMessage(withoutFixOf: "/dev/ttyUSB0")) }
                == #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1}"#)
        #expect(text { $0.position(PositionMessage(withoutFixOf: nil)) } == #"{"class":"TPV","mode":1}"#)
    }

    @Test(
        arguments: [
            (.autonomous, nil), (.differential, 2), (.rtkFixed, 3), (.rtkFloat, 4), (.deadReckoning, 5), (.fixed, 7),
            (.simulated, 8), (.precise, 9), (.remembered, 5),
        ] as [(LocationQuality, Int?)]) func theKindOfFix(quality: LocationQuality, status: Int?)
    {
        var location = Samples.location
        location.quality = quality
        #expect(PositionMessage(location, fix: nil, device: nil).status == status)
        var simulated = Samples.location
        simulated.simulated = true
        #expect(PositionMessage(simulated, fix: nil, device: nil).status == 8)
    }

    @Test func satellites() {
        #expect(
            text { $0.sky(SkyMessage(Samples.report()), device: "/dev/ttyUSB0") }
                == #"{"class":"SKY","device":"/dev/ttyUSB0","vdop":1.20,"hdop":0.90,"pdop":1.50,"nSat":2,"uSat":1,"#
                + #""satellites":[{"PRN":4,"el":40.0,"az":83.0,"ss":46.0,"used":true,"gnssid":0,"svid":4},"#
                + #"{"PRN":66,"used":false,"gnssid":6,"svid":2}]}"#)
        #expect(text { $0.sky(SkyMessage(), device: nil) } == #"{"class":"SKY"}"#)
    }

    @Test(
        arguments: [
            (.gps, 32, 32), (.sbas, 120, 33), (.sbas, 151, 64), (.sbas, 158, 158), (.glonass, 1, 65), (.qzss, 1, 193),
            (.galileo, 1, 301), (.beidou, 1, 401), (.navic, 1, 501), (nil, 7, 7),
        ] as [(Satellite.Constellation?, Int, Int)])
    func satelliteNumbers(constellation: Satellite.Constellation?, number: Int, prn: Int) {
        var sky = SkyMessage()
        sky.satellites = [Satellite(constellation: constellation, number: number)]
        #expect(text { $0.sky(sky, device: nil) }.contains(#"[{"PRN":\#(prn),"used":false"#))
    }

    @Test func attitude() {
        var heading = LocationModel.Heading(timestamp: Samples.time)
        heading.trueHeading = 94
        #expect(
            text { $0.attitude(heading, device: "/dev/a") }
                == #"{"class":"ATT","device":"/dev/a","time":"2026-11-21T12:03:10.000Z","heading":94.000}"#)
    }

    @Test func polls() {
        #expect(
            text { $0.poll(at: Samples.time, active: 0, nil) }
                == #"{"class":"POLL","time":"2026-11-21T12:03:10.000Z","active":0,"tpv":[],"gst":[],"sky":[]}"#)
        #expect(
            text { $0.poll(at: Samples.time, active: 1, Samples.devices.noFixReports) }
                == #"{"class":"POLL","time":"2026-11-21T12:03:10.000Z","active":1,"#
                + #""tpv":[{"class":"TPV","device":"/dev/ttyUSB0","mode":1}],"gst":[],"#
                + #""sky":[{"class":"SKY","device":"/dev/ttyUSB0"}]}"#)
    }
}
