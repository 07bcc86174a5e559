import Devices
import LocationModel
import LocationProtocol

@testable import MachineDoctor

/// Sample machines for the doctor.
enum DoctorSamples {
    /// A machine with the package installed, a u-blox 7, and a user who is a member of the group.
    static var healthy: Facts {
        var facts = Facts()
        facts.caller = CallerFacts(
            name: "ada", uid: 1000, isRoot: true, groupExists: true, isMember: true, isMemberNow: true,
            loginState: "active")
        facts.folder = FileFacts(uid: 0, gid: 0, owner: "root", group: "root", mode: 0o755)
        facts.publicSocket.file = FileFacts(
            uid: 0, gid: 0, owner: "root", group: "root", mode: 0o666, isSocket: true)
        facts.managementSocket.file = FileFacts(
            uid: 0, gid: 990, owner: "root", group: "locationd", mode: 0o666, isSocket: true)
        facts.publicSocket.isOpen = true
        facts.managementSocket.isOpen = true
        facts.daemonUser = UserFacts(name: "locationd", uid: 990, groups: [990, 991])
        facts.service = ServiceFacts(
            answers: true,
            authorization: Authorization(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true),
            app: "exe:/usr/bin/locationctl", services: GetServices.Reply(machine: true, user: true),
            receivers: [receiver("usb:u-blox", port: "/dev/ttyACM0")], openPrompts: 0)
        facts.service.receivers?[0].clockOffset = 0.2
        for name in [
            "locationd.service", "locationd.socket", "locationd-manage.socket", "locationd-peers.socket",
            "locationd-peers.service", "systemd-timesyncd.service",
        ] { facts.system.units[name] = UnitFacts(name: name) }
        facts.system.receiverRules = "/usr/lib/udev/rules.d/81-locationd.rules"
        facts.system.isClockSynchronized = true
        facts.ports = [
            PortFacts(
                path: "/dev/ttyACM0", node: "/dev/ttyACM0",
                file: FileFacts(uid: 0, gid: 991, owner: "root", group: "gnss", mode: 0o660, isDevice: true))
        ]
        facts.devices = [
            DeviceFacts(
                device: receiver, existingLinks: ["/dev/gnss-u-blox"], isInHardwareDatabase: true,
                isIgnoredByModemManager: true)
        ]
        facts.configurationError = ""
        facts.databasesSetAside = []
        return facts
    }

    /// The machine with the package locationd-publish, which is connected.
    static var withPublisher: Facts {
        var facts = healthy
        facts.publisher = PublisherFacts(
            isPackaged: true, isConfigured: true, configurationError: "", status: .authorizedAlways)
        facts.system.units["locationd-publish.service"] = UnitFacts(
            name: "locationd-publish.service", statusText: "Connected to mqtts://broker.example:8883; 0 reports wait")
        return facts
    }

    /// The machine with the packages locationd-gpsd and locationd-geoclue.
    static var withFronts: Facts {
        var facts = healthy
        for name in ["locationd-gpsd.socket", "locationd-gpsd-ipv6.socket"] {
            facts.system.units[name] = UnitFacts(name: name)
        }
        facts.system.units["gpsd.socket"] = UnitFacts(name: "gpsd.socket", active: "inactive")
        facts.geoClue = GeoClueFacts(
            isPackaged: true, owner: .init(name: "locationd", pid: 300, uid: 990), activatedUnit: "locationd.service",
            isNamePermitted: true, isAgentPermitted: true)
        return facts
    }

    /// An FTDI adapter that may or may not be a receiver.
    static var converter: DeviceFacts {
        var device = Device(node: "/dev/ttyUSB0", path: "/sys/ttyUSB0", product: "FT232R USB UART")
        device.links = ["/dev/serial/by-path/x"]
        device.serialNumber = "A50285BI"
        device.label = "FTDI_FT232R_USB_UART_A50285BI"
        return DeviceFacts(device: device)
    }

    private static var receiver: Device {
        var device = Device(node: "/dev/ttyACM0", path: "/sys/ttyACM0", product: "u-blox 7")
        device.links = ["/dev/gnss-u-blox"]
        device.label = "u-blox"
        device.isReceiver = true
        return device
    }

    /// Returns a receiver that produces fixes.
    static func receiver(_ specification: String, port: String?) -> ReceiverSummary {
        var receiver = ReceiverSummary(name: "u-blox 7", specification: specification, state: .running, fixes: 10)
        receiver.port = port
        receiver.inUse = true
        return receiver
    }
}
