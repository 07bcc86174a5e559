import Foundation
import TestSupport
import Testing

@testable import Beacons

@Suite struct BeaconAdaptersTests {
    /// The machine's only adapter has not always the first number: BlueZ and the kernel give a plugged-in one the next.
    @Test func anyAdapterIsOne() throws {
        let folder = try TemporaryFolder()
        #expect(!BeaconScanner.hasAdapter(in: folder.path))
        try FileManager.default.createDirectory(atPath: folder.path + "/rfkill0", withIntermediateDirectories: false)
        #expect(!BeaconScanner.hasAdapter(in: folder.path))
        try FileManager.default.createDirectory(atPath: folder.path + "/hci1", withIntermediateDirectories: false)
        #expect(BeaconScanner.hasAdapter(in: folder.path))
        #expect(!BeaconScanner.hasAdapter(in: folder.path + "/absent"))
    }
}
