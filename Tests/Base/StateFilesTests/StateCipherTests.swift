import CCrypto
import Testing

@testable import StateFiles

/// The encryption of state.
@Suite struct StateCipherTests {
    private static let secret = [UInt8](0..<32)

    private func cipher(_ secret: [UInt8] = secret, of owner: String = "q") throws -> StateCipher {
        try StateCipher(secret: secret, of: owner, purpose: "test")
    }

    @Test(arguments: [0, 1, 15, 16, 17, 300]) func whatIsSealedIsOpened(length: Int) throws {
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let entry = try cipher().seal(content, number: 7)
        #expect(entry.count == length + StateCipher.overhead)
        #expect(try cipher().open(entry, number: 7) == content)
    }

    @Test func theSameContentLooksDifferentEachTime() throws {
        let entries = try (1...100).map { _ in try cipher().seal([1, 2, 3], number: 7) }
        #expect(Set(entries).count == 100)
    }

    /// Attack: whoever can write to the disk changes an entry, or puts one in another's place.
    @Test func nothingElseIsOpened() throws {
        let entry = try cipher().seal(Array("47.25".utf8), number: 7)
        #expect(try cipher().open(entry, number: 8) == nil)
        #expect(try cipher(of: "r").open(entry, number: 7) == nil)
        #expect(try cipher([UInt8](1..<33)).open(entry, number: 7) == nil)
        for index in entry.indices {
            var changed = entry
            changed[index] ^= 1
            #expect(try cipher().open(changed, number: 7) == nil, "byte \(index)")
        }
        for length in 0..<entry.count {
            #expect(try cipher().open(Array(entry.prefix(length)), number: 7) == nil, "\(length) bytes")
        }
        #expect(try cipher().open(entry + [0], number: 7) == nil)
    }

    @Test func anOwnerRecognisesItsSecret() throws {
        let check = try cipher().check
        #expect(try cipher().check == check)
        #expect(try cipher(of: "r").check != check)
        #expect(try cipher([UInt8](1..<33)).check != check)
    }

    // MARK: Vectors of the standards

    /// RFC 5869, A.1.
    @Test func derivation() {
        let secret = [UInt8](repeating: 0x0b, count: 22)
        let (salt, info) = ([UInt8](0x00...0x0c), [UInt8](0xf0...0xf9))
        var key = [UInt8](repeating: 0, count: 32)
        #expect(crypto_derive(secret, secret.count, salt, salt.count, info, info.count, &key))
        #expect(key == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"))
    }

    /// McGrew and Viega, The Galois/Counter Mode of Operation, test case 16.
    @Test func sealing() {
        let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
        let (nonce, context) = (bytes("cafebabefacedbaddecaf888"), bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
        let content = bytes(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
        var sealed = [UInt8](repeating: 0, count: content.count + 16)
        #expect(crypto_seal(key, nonce, context, context.count, content, content.count, &sealed))
        #expect(
            sealed
                == bytes(
                    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                        + "76fc6ece0f4e1768cddf8853bb2d551b"))
    }

    private func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
