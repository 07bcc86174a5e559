import LocationModel
import Testing

@testable import Positioning

@Suite struct SipHashTests {
    /// Key 00 01 … 0f, messages 00 01 … of each length: `vectors_sip64` of the authors' reference implementation.
    /// The one of 15 bytes is in the paper, appendix A.
    @Test(
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (2, 0x0d6c_8009_d9a9_4f5a),
            (3, 0x8567_6696_d7fb_7e2d), (4, 0xcf27_94e0_2771_87b7), (5, 0x1876_5564_cd99_a68d),
            (6, 0xcbc9_466e_58fe_e3ce), (7, 0xab02_00f5_8b01_d137), (8, 0x93f5_f579_9a93_2462),
            (9, 0x9e00_82df_0ba9_e4b0), (15, 0xa129_ca61_49be_45e5),
        ] as [(Int, UInt64)])
    func publishedVectors(length: Int, expected: UInt64) {
        let bytes = (0..<16).map { UInt8($0) }
        #expect(SipHash(key: bytes).hash(bytes.prefix(length)) == expected)
    }

    @Test func theRestOfALongerKeyDoesNotCount() {
        let key = (0..<32).map { UInt8($0) }
        #expect(SipHash(key: key).hash([1, 2]) == SipHash(key: key.prefix(16)).hash([1, 2]))
    }
}
