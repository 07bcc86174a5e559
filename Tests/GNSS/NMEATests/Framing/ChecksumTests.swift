import NMEA
import Testing

@Suite struct ChecksumTests {
    @Test func isTheExclusiveOrOfAllBytes() {
        #expect(checksum(of: [UInt8]("GPGLL,5300.97914,N,00259.98174,E,125926,A".utf8).span) == 0x28)
        #expect(checksum(of: [UInt8]().span) == 0)
    }
}
