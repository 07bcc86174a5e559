import LocationModel
import Receivers
import Testing

@testable import GPSDFront
@testable import LocationCore

/// The messages to a client, depending on its access.
@Suite struct ConversationStateMachineTests {
    private let noFix = #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1}"#
    private let idleDevices =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0","driver":"NMEA0183","stopbits":1}]}"#

    @Test func anUndecidedClient() {
        var client = Client()
        client.watch()
        let lines = client.takeLines()
        #expect(lines.count == 3 && lines.first == idleDevices && lines.last == noFix)
        #expect(lines[1].hasPrefix(#"{"class":"WATCH","enable":true,"json":true,"#))
        #expect(client.prompts == 1 && !client.isOpen)
        // Again: neither another prompt nor another report.
        client.watch()
        #expect(client.takeLines().count == 2 && client.prompts == 1)
    }

    @Test func aPollPromptsToo() {
        var client = Client()
        client.send("?POLL;")
        #expect(client.takeLines().allSatisfy { $0.hasSuffix(#""active":0,"tpv":[],"gst":[],"sky":[]}"#) })
        #expect(client.prompts == 1)
        client.send("?VERSION;")
        #expect(client.prompts == 1)
    }

    @Test(
        arguments: [
            (.denied, "not authorized: locationctl grant 'exe:/usr/bin/fox trot'"),
            (.restricted, "not authorized: the administrator has ruled out exe:/usr/bin/fox trot"),
            (.servicesOff, "not authorized: location services are off: locationctl enable"),
        ] as [(Access.Refusal, String)]) func aRefusedClient(refusal: Access.Refusal, message: String)
    {
        var client = Client(.refused(refusal))
        client.watch()
        #expect(client.takeLines().suffix(2) == [noFix, #"{"class":"ERROR","message":"\#(message)"}"#])
        client.watch()
        client.send("?POLL;")
        #expect(!client.takeLines().contains { $0.contains("ERROR") })
        #expect(client.prompts == 0 && !client.isOpen)
    }

    /// gpsd-py3 ends if the line that it reads after a request is not the reply.
    @Test func aRefusedClientThatOnlyPolls() {
        var client = Client(.refused(.denied))
        client.send(#"?WATCH={"enable":true};"#)
        #expect(client.takeLines().count == 2)
        client.send("?POLL;")
        #expect(client.takeLines().count == 1)
    }

    /// Attack: a program is stored under a name with a command in it, and its user pastes the line into a shell.
    @Test func theCommandIsQuoted() throws {
        let app = try #require(AppIdentity(kind: .exe, name: "/tmp/a;rm -r ~'x"))
        #expect(
            Access.Refusal.denied.message(for: app) == #"not authorized: locationctl grant 'exe:/tmp/a;rm -r ~'\''x'"#)
        let plain = try #require(AppIdentity(kind: .exe, name: "/usr/bin/foxtrotgps"))
        #expect(
            Access.Refusal.denied.message(for: plain) == "not authorized: locationctl grant exe:/usr/bin/foxtrotgps")
        // The apostrophe and the combining mark are one Character, which is not an apostrophe.
        let combined = try #require(AppIdentity(kind: .exe, name: "/tmp/'\u{301};reboot;'"))
        let message = Access.Refusal.denied.message(for: combined)
        let expected = "not authorized: locationctl grant 'exe:/tmp/'\\''\u{301};reboot;'\\'''"
        #expect(message.utf8.elementsEqual(expected.utf8))
    }

    /// The reason changes while the client watches.
    @Test func aSecondRefusal() {
        var client = Client(.refused(.servicesOff))
        client.watch()
        #expect(client.takeLines().count { $0.contains("services are off") } == 1)
        client.access(.refused(.denied))
        #expect(client.takeLines().map { $0.contains("locationctl grant") } == [true])
        client.access(.refused(.denied))
        #expect(client.takeLines() == [])
    }

    @Test func aGrantedClient() {
        var client = Client(.granted(.full))
        client.watch()
        #expect(client.isOpen && client.takeLines().first?.contains("DEVICES") == true)
        client.receive(Samples.epoch())
        #expect(client.takeLines() == Samples.epoch().json.lines)
        client.send("?POLL;")
        let poll = client.takeLines()
        #expect(poll.count == 1 && poll[0].contains(#""active":1,"tpv":[{"class":"TPV","#) && poll[0].contains("PRN"))
    }

    @Test func theContentsOfASubscription() {
        var session = ConversationStateMachine(app: Client.app, access: .granted(.full))
        func contents(_ request: String) -> ReceiverReportContents? {
            _ = session.handle(
                .request(ClientRequest(parsing: Array(request.utf8)), at: Samples.time), Samples.devices)
            return session.open
        }
        #expect(contents(#"?WATCH={"enable":true}"#) == .satellites)
        #expect(contents(#"?WATCH={"nmea":true}"#) == .sentences)
        #expect(contents(#"?WATCH={"json":true}"#) == [.satellites, .sentences])
        #expect(contents(#"?WATCH={"enable":false}"#) == nil)
        #expect(contents(#"?WATCH={"nmea":false,"raw":2}"#) == [.satellites, .sentences])
        // A client with reduced accuracy gets none of it.
        _ = session.handle(.authorization(.granted(.reduced)), Samples.devices)
        #expect(session.open == [])
        #expect(contents(#"?WATCH={"nmea":true}"#) == [])
        _ = session.handle(.authorization(.granted(.full)), Samples.devices)
        #expect(session.open == [.satellites, .sentences])
    }

    /// The cell comes four times an hour: a client that asks for it as sentences does not wait for the next one.
    @Test func theCellInAnotherForm() {
        var client = Client(.granted(.reduced))
        client.watch()
        client.receive(Samples.cellMessages())
        _ = client.takeLines()
        client.send(#"?WATCH={"enable":true,"json":false,"nmea":true}"#)
        #expect(client.takeLines().suffix(2) == Samples.cellMessages().sentences.lines)
        client.send(#"?WATCH={"enable":true}"#)
        #expect(client.takeLines().count == 4 && client.opened == 1)
        // It may not have the receiver's bytes, and gets no substitute for them.
        client.send(#"?WATCH={"nmea":false,"raw":2}"#)
        client.receive(Samples.cellMessages())
        #expect(client.takeLines().count == 2)
    }

    @Test func aGrantWhileTheClientWaits() {
        var client = Client()
        client.watch()
        _ = client.takeLines()
        client.access(.granted(.full))
        #expect(client.isOpen && client.takeLines() == [])
        client.receive(Samples.epoch())
        #expect(client.takeLines() == Samples.epoch().json.lines)
    }

    /// Attack: a client reads a waiting report, or the last one by POLL, after the revocation.
    @Test(arguments: [.undecided, .refused(.denied), .refused(.servicesOff)] as [Access])
    func aRevocation(access: Access) {
        var client = Client(.granted(.full))
        client.watch()
        client.receive(Samples.epoch())
        _ = client.takeLines()
        client.access(access)
        #expect(client.drops == 1 && !client.isOpen)
        #expect(client.takeLines().first == noFix)
        client.receive(Samples.epoch())
        client.send("?POLL;")
        client.send("?DEVICES;")
        let lines = client.takeLines()
        #expect(lines.count == 2 && lines[0].contains(#""tpv":[\#(noFix)]"#) && lines[1] == idleDevices)
        client.access(.granted(.full))
        client.receive(Samples.epoch())
        #expect(client.takeLines() == Samples.epoch().json.lines)
    }

    /// Attack: accuracy is reduced, and a location with full accuracy is still there.
    @Test func theAccuracyIsReduced() {
        var client = Client(.granted(.full))
        client.watch()
        client.receive(Samples.epoch())
        _ = client.takeLines()
        client.access(.granted(.reduced))
        #expect(client.isOpen && client.opened == 2 && client.drops == 1)
        client.send("?POLL;")
        #expect(client.takeLines().allSatisfy { !$0.contains("lat") && !$0.contains("PRN") })
        client.receive(Samples.cellMessages())
        #expect(client.takeLines() == Samples.cellMessages().json.lines)
    }

    @Test func aClientThatIsNotInUse() {
        var client = Client(.granted(.full))
        client.watch()
        client.receive(Samples.epoch())
        _ = client.takeLines()
        client.suspend()
        #expect(client.takeLines() == [noFix] && client.isOpen)
        client.loseReceiver()
        #expect(client.takeLines() == [])
        client.send("?POLL;")
        #expect(client.takeLines().allSatisfy { !$0.contains("lat") })
        client.unsuspend()
        #expect(client.takeLines() == [] && client.opened == 1)
    }

    /// Attack: a client that is not in use watches when others use the receivers.
    @Test func aSuspendedClientSeesNoActivity() {
        func seesActivity(_ client: inout Client) -> Bool {
            client.send("?DEVICES;")
            return client.takeLines().contains { $0.contains("activated") }
                || client.session.wantsMessage(of: "/dev/ttyUSB0")
        }
        var client = Client(.granted(.full))
        client.watch()
        #expect(seesActivity(&client))
        client.suspend()
        #expect(!seesActivity(&client))
        client.unsuspend()
        #expect(seesActivity(&client))
        // Nor does it by another subscription, which is suspended as soon as it is open.
        client.suspend()
        client.opensSuspended = true
        client.send(#"?WATCH={"enable":false}"#)
        client.watch()
        #expect(client.isOpen && client.takeLines().allSatisfy { !$0.contains("activated") })
        #expect(!seesActivity(&client))
    }

    /// Attack: a heading or a report without a fix waits for a client whose grant is revoked, or that is suspended.
    @Test func whateverWaitsIsDropped() {
        for end in [{ $0.access(.refused(.denied)) }, { $0.suspend() }, { $0.access(.granted(.reduced)) }]
            as [(inout Client) -> Void]
        {
            var client = Client(.granted(.full))
            client.watch()
            end(&client)
            #expect(client.drops == 1)
        }
    }

    /// The cell comes four times an hour: it is not lost with a receiver, and comes back with the client.
    @Test func theCellStays() {
        var client = Client(.granted(.reduced))
        client.watch()
        client.receive(Samples.cellMessages())
        _ = client.takeLines()
        client.loseReceiver()
        #expect(client.takeLines() == [])
        client.suspend()
        #expect(client.takeLines() == [noFix])
        client.unsuspend()
        #expect(client.isOpen && client.opened == 2)
    }

    /// Attack: a client with reduced accuracy watches when its receiver has a fix, and so when the device leaves a
    /// building.
    @Test(arguments: [(.granted(.full), true), (.granted(.reduced), false), (.undecided, false)] as [(Access, Bool)])
    func whoSeesActivity(access: Access, sees: Bool) {
        var client = Client(access)
        client.watch()
        // Its use is known once the subscription is open.
        #expect(client.takeLines().allSatisfy { !$0.contains("activated") })
        #expect(client.session.wantsMessage(of: "/dev/ttyUSB0") == sees)
        client.send("?DEVICES;")
        client.send("?DEVICE;")
        #expect(client.takeLines().filter { $0.contains("DEVICE") }.allSatisfy { $0.contains("activated") == sees })
    }

    /// Attack: a client with reduced accuracy learns which of the devices has the fix.
    @Test func aChosenDevice() {
        var client = Client(.granted(.full))
        client.devices = DeviceList([Samples.device(), Samples.device(1)])
        client.send(#"?WATCH={"json":true,"device":"/dev/ttyUSB1"}"#)
        _ = client.takeLines()
        client.receive(Samples.epoch())
        #expect(client.takeLines() == [])
        client.access(.granted(.reduced))
        client.receive(Samples.cellMessages())
        #expect(client.takeLines() == Samples.cellMessages().json.lines)
        client.send(#"?WATCH={"device":"/dev/nope"}"#)
        #expect(client.takeLines() == [#"{"class":"ERROR","message":"No such device as /dev/nope"}"#])
    }

    /// Nothing is written to a receiver for a client.
    @Test(arguments: Access.all) func aReceiverIsNotConfigured(access: Access) {
        var client = Client(access)
        client.send(#"?DEVICE={"path":"/dev/ttyUSB0","bps":4800}"#)
        #expect(client.takeLines().map { $0.hasPrefix(#"{"class":"ERROR","message":"cannot configure"#) } == [true])
        client.send("?DEVICE;")
        #expect(client.takeLines() == [#"{"class":"DEVICE","path":"/dev/ttyUSB0","driver":"NMEA0183","stopbits":1}"#])
        client.send(#"?DEVICE={"path":"/dev/nope"}"#)
        #expect(client.takeLines() == [#"{"class":"ERROR","message":"No such device as /dev/nope"}"#])
    }

    @Test func wrongRequests() {
        var client = Client(.granted(.full))
        client.send("?FOO;")
        #expect(client.takeLines() == [#"{"class":"ERROR","message":"Unrecognized request '?FOO;'"}"#])
        client.send("?WATCH={bad")
        #expect(
            client.takeLines().map { $0.prefix(16) } == [
                #"{"class":"ERROR""#, #"{"class":"DEVICE"#, #"{"class":"WATCH""#,
            ])
        #expect(!client.isOpen)
    }
}

extension Access {
    static let all: [Access] = [
        .undecided, .refused(.denied), .refused(.restricted), .refused(.servicesOff), .granted(.full),
        .granted(.reduced),
    ]
}
