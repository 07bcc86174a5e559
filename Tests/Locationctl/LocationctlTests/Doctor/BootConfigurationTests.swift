import Devices
import Testing

@testable import MachineDoctor

/// The parsing of a Raspberry Pi's boot files.
@Suite struct BootConfigurationTests {
    @Test func valuesParametersAndOverlays() {
        let configuration = BootConfiguration(
            """
            # comment
            enable_uart=0
             enable_uart = 1 # the last one counts
            dtparam=uart0=on,i2c_arm=off,spi
            dtoverlay=pps-gpio,gpiopin=18
            dtoverlay=
            nonsense
            """, filters: [])
        #expect(configuration.values["enable_uart"] == "1")
        #expect(configuration.isOn("uart0") && configuration.isOn("spi"))
        #expect(!configuration.isOn("i2c_arm") && !configuration.isOn("uart1"))
        #expect(configuration.overlays.contains("pps-gpio"))
    }

    /// A condition that is not a model may be true.
    @Test(
        arguments: [
            ("[pi4]", true), ("[pi5]", false), ("[none]", false), ("[all]", true), ("[gpio4=1]", true),
            ("[cm4]", false), ("[pi5]\n[all]", true), ("[PI4]", true),
        ])
    func sections(section: String, applies: Bool) {
        let configuration = BootConfiguration("\(section)\nenable_uart=1", filters: ["pi4"])
        #expect((configuration.values["enable_uart"] == "1") == applies)
    }

    @Test func includedFilesAreReadAndMayIncludeEachOther() {
        let configuration = BootConfiguration("include more.txt\n", filters: []) { file in
            file == "more.txt" ? "enable_uart=1\ninclude more.txt\n" : nil
        }
        #expect(configuration.values == ["enable_uart": "1"])
    }

    @Test(
        arguments: [
            ("Raspberry Pi 5 Model B Rev 1.0", true, false), ("Raspberry Pi 500 Rev 1.0", true, false),
            ("Raspberry Pi Compute Module 5 Rev 1.0", true, false), ("Raspberry Pi 4 Model B Rev 1.4", false, true),
            ("Raspberry Pi Zero 2 W Rev 1.0", false, true), ("Raspberry Pi Zero Rev 1.3", false, false),
            ("Raspberry Pi 2 Model B Rev 1.1", false, false), ("Raspberry Pi Model B Plus Rev 1.2", false, false),
        ])
    func models(name: String, isPi5: Bool, hasBluetooth: Bool) throws {
        let model = try #require(RaspberryPiFacts.Model(name))
        #expect(model.isPi5 == isPi5)
        #expect(model.hasBluetooth == hasBluetooth)
        #expect(!model.filters.isEmpty)
    }

    @Test(arguments: ["", "Pine64 RockPro64", "Raspberry", "A Raspberry Pi 4"]) func otherMachines(name: String) {
        #expect(RaspberryPiFacts.Model(name) == nil)
    }

    @Test(
        arguments: [
            ("0::/system.slice/gpsd.service\n", "gpsd.service", true),
            ("12:pids:/x\n1:name=systemd:/system.slice/gpsd.service\n", "gpsd.service", true),
            (
                "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-minicom.service\n",
                "app-minicom.service", false
            ),
            ("0::/user.slice/user-1000.slice/session-3.scope\n", "session-3.scope", false), ("0::/\n", nil, false),
            ("", nil, false), (":\n", nil, false),
        ] as [(String, String?, Bool)])
    func unitsInControlGroups(text: String, unit: String?, isSystemService: Bool) {
        var holder = PortFacts.Holder(name: "x", pid: 1)
        holder.setUnit(inControlGroups: text)
        #expect(holder.unit == unit && holder.isSystemService == isSystemService)
    }

    @Test func whatTheConfigurationStates() {
        var sources = ConfiguredSources()
        sources.add(
            """
            [[receiver]]
            source = "serial:/dev/ttyAMA0@9600" # the HAT
            # source = "serial:/dev/ttyS0"
            [[receiver]]
              source='usb:A50285BI'
            [time]
            pps = "/dev/pps0"
            """, file: "/a")
        sources.add("source = \"nonsense\"\nsource = 3\n=\n", file: "/b")
        #expect(sources.receivers.map(\.description) == ["serial:/dev/ttyAMA0@9600", "usb:A50285BI"])
        #expect(sources.pulseDevice == "/dev/pps0")
        #expect(sources.file(ofPort: "/dev/ttyAMA0") == "/a")
        #expect(sources.file(ofPort: "/dev/ttyS0") == nil)
    }
}
