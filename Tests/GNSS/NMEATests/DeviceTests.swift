import NMEA
import Testing

/// Several devices on the same serial connection.
@Suite struct DeviceTests {
    private func fix(_ talker: String, _ second: Int, _ minutes: String = "17.10") -> String {
        "\(talker)RMC,1200\(second < 10 ? "0" : "")\(second),A,47\(minutes),N,00833.91,E,0.5,77.5,150624,,,A"
    }

    @Test func sentencesOfOtherInstrumentsDoNotMatter() {
        let decoded = decode(
            sentences(
                "SDDBT,7.8,f,2.4,M,1.3,F", fix("GP", 1), "WIMWV,214.8,R,0.1,K,A", "IIVTG,10.0,T,,M,9.0,N,16.6,K",
                "HCHDG,101.1,,,7.1,W",
                "GPGGA,120001,4717.10,N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,", "YXXDR,A,0.0,D,ROLL"))
        #expect(decoded.epochs.count == 1)
        #expect(decoded.epochs.first?.speed == 0.5 * 1852 / 3600)
        #expect(decoded.headings.count == 1)
        #expect(decoded.counts.otherDevices == 1)
    }

    @Test func aGNSSReceiverGoesBeforeAPlotter() {
        let decoded = decode(
            sentences(fix("II", 1, "18.00"), fix("GP", 2), fix("II", 2, "18.00"), fix("GP", 3), fix("II", 3, "18.00")))
        #expect(decoded.epochs.map(\.talker.description) == ["II", "GP", "GP"])
        #expect(decoded.counts.otherDevices == 2)
    }

    @Test(arguments: ["II", "IN", "EC", "WI", "AI", "SD"])
    func anyTalkerIsFollowedWhereThereIsNoOther(_ talker: String) {
        #expect(decode(sentences(fix(talker, 1), fix(talker, 2))).epochs.map(\.talker.description) == [talker, talker])
    }

    @Test func anotherDeviceTakesOverWhenTheFollowedOneIsGone() {
        let text = sentence(fix("GP", 1)) + (2..<40).map { sentence(fix("II", $0)) }.joined()
        #expect(decode(text).epochs.map(\.talker.description) == ["GP"] + Array(repeating: "II", count: 18))
    }

    @Test func devicesAreNotMixed() {
        let decoded = decode(
            sentences("IIVTG,10.0,T,,M,9.0,N,16.6,K", "GPGGA,120001,4717.10,N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,"))
        #expect(decoded.epochs.count == 1)
        #expect(decoded.epochs.first?.speed == nil)
    }

    @Test func twoReceiversWithTheSameTalkerAreNotMixed() {
        let decoded = decode(
            sentences(fix("GP", 1), "GPGGA,120001,4819.10,N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,"))
        #expect(decoded.epochs.map(\.altitude) == [nil])
        #expect(decoded.epochs.first?.exactLatitude.nanominutes == 2_837_100_000_000)
        #expect(decoded.counts.otherDevices == 1)
    }

    @Test func talkersOfOneReceiverMakeOneEpoch() {
        let decoded = decode(
            sentences(
                "GPGGA,043539.00,4333.190206,N,00127.618380,E,1,05,1.3,250.8,M,50.0,M,,",
                "GAGGA,043539.00,4333.190206,N,00127.618380,E,1,01,1.3,250.8,M,50.0,M,,",
                "GNGNS,043539.00,4333.190206,N,00127.618380,E,AAAAN,14,1.3,250.8,50.0,,,V",
                "GPRMC,043539.00,A,4333.190206,N,00127.618380,E,0.0,,040925,1.7,W,A,V",
                "GARMC,043539.00,A,4333.190206,N,00127.618380,E,0.0,,040925,1.7,W,A,V"))
        #expect(decoded.epochs.count == 1)
        #expect(decoded.epochs.first?.magneticVariation == -1.7)
        #expect(decoded.epochs.first?.course == nil)
        #expect(decoded.epochs.first?.satellitesUsed == 5)
    }
}
