import Bus
import Testing

@testable import GeoClueFront

@Suite struct IntrospectionTests {
    @Test func theClientsInterface() {
        let xml = Introspection.xml([.client])
        #expect(
            xml.split(separator: "\n").dropFirst().joined(separator: "\n") == """
                <node>
                 <interface name="org.freedesktop.GeoClue2.Client">
                  <method name="Start">
                  </method>
                  <method name="Stop">
                  </method>
                  <signal name="LocationUpdated">
                   <arg name="old" type="o"/>
                   <arg name="new" type="o"/>
                  </signal>
                  <property name="Location" type="o" access="read"/>
                  <property name="DistanceThreshold" type="u" access="readwrite"/>
                  <property name="TimeThreshold" type="u" access="readwrite"/>
                  <property name="DesktopId" type="s" access="readwrite"/>
                  <property name="RequestedAccuracyLevel" type="u" access="readwrite"/>
                  <property name="Active" type="b" access="read"/>
                 </interface>
                </node>
                """)
        #expect(xml.hasPrefix("<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\""))
    }

    @Test func theManagersInterface() {
        let xml = Introspection.xml([.manager])
        #expect(xml.contains("<method name=\"DeleteClient\">\n   <arg name=\"client\" type=\"o\" direction=\"in\"/>\n"))
        #expect(xml.contains("<method name=\"GetClient\">\n   <arg name=\"client\" type=\"o\" direction=\"out\"/>\n"))
        #expect(xml.contains("<property name=\"InUse\" type=\"b\" access=\"read\"/>"))
    }

    /// An object has exactly the properties that introspection describes, with their types.
    @Test func theObjectsHaveWhatIsDescribed() {
        let client = ClientObject(
            id: 1, number: 1,
            owner: CallingApp(connection: 1, app: Scene.maps, authorization: .granted, canBeServed: true))
        let objects: [(InterfaceDefinition, [PropertyValue])] = [
            (.manager, ManagerProperties().all), (.client, client.properties),
            (.location, LocationObject(location: .berne).properties),
        ]
        for (definition, properties) in objects {
            #expect(definition.properties.map(\.name) == properties.map(\.name))
            #expect(definition.properties.map(\.signature) == properties.map(\.value.signature))
        }
    }
}
