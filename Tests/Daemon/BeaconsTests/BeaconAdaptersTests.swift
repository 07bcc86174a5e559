import Testing

@testable import Beacons

@Suite struct BeaconAdaptersTests {
    @Test func theAdaptersAreTheChildrenOfBlueZsObject() {
        let description = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node><interface name="org.bluez.AgentManager1"><method name="hci7"/></interface>
            <node name="hci0"/><node name='hci12'/><node name="test"/><node name="hciX"/><node name="hci"/></node>
            """
        #expect(BeaconAdapters.adapterNames(in: description) == ["hci0", "hci12"])
        #expect(BeaconAdapters.adapterNames(in: "").isEmpty)
    }

    /// Attack: the owner of the name describes adapters without end.
    @Test func theNumberOfAdaptersIsLimited() {
        let description = (0..<1000).map { "<node name=\"hci\($0)\"/>" }.joined()
        #expect(BeaconAdapters.adapterNames(in: description).count == BeaconAdapters.maximumCount)
    }
}
