internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import MachineDoctor
internal import NTRIP

/// Configures an instance of locationd-ntrip(8): `locationctl setup --corrections`.
final class CorrectionsSetup {
    struct Options: Sendable {
        /// The folder of the daemon's configuration.
        var folder: String
        /// The folder of the credentials that systemd passes to services.
        var credentials: String
        /// The program that reads casters' lists.
        var program = NetworkProgram("locationd-ntrip", user: "locationd-ntrip")
        /// The caster that the user named, or `nil` to ask.
        var caster: CasterAddress?
        /// A Boolean value indicating whether the answer to every question is yes.
        var isConfirmed = false
        /// The time with corrections in the test.
        var duration = Duration.seconds(10)
        /// The medium of the list of mount points.
        var medium = OutputMedium.pipe
    }

    private let daemon: DaemonConnection
    private let options: Options
    private var folder: String { options.folder + "/ntrip" }
    private let steps = UndoableSteps()
    private var questions = Questions()

    init(_ daemon: DaemonConnection, _ options: Options) {
        self.daemon = daemon
        self.options = options
    }

    func run() async throws {
        _ = try options.program.path()
        try check()
        let caster = try chooseCaster()
        let (address, needsPosition) = try await chooseMount(of: caster)
        let instance = SenderPin.instance(of: address.mount ?? "")
        let unit = "locationd-ntrip@\(instance).service"
        try checkFile("\(folder)/\(instance).toml")
        let credentials = try askForCredentials(address)
        let question = CorrectionsText.question(unit, address, needsPosition: needsPosition)
        guard try options.isConfirmed || questions.confirm(question, preferred: true) else {
            try Terminal.writeOutput("Nothing was changed.\n")
            throw ExitStatus.failed
        }
        try await steps.run {
            // After the former files are back.
            steps.undo { _ = ChildProcess.run("systemctl", ["try-restart", unit]) }
            for (name, text) in credentials {
                try steps.write(
                    text + "\n", to: "locationd-ntrip.\(instance).\(name)", in: options.credentials, mode: 0o600,
                    folderMode: 0o700)
            }
            try steps.write(
                CorrectionsText.file(address, needsPosition: needsPosition), to: "\(instance).toml", in: folder)
            if needsPosition { try await grant("service:locationd-ntrip@\(instance)") }
            if try steps.enable(unit) { try UndoableSteps.systemctl("restart", unit) }
            try await test(unit)
        }
        try Terminal.writeOutput("Done. `sudo locationctl doctor` says if corrections stop.\n")
    }

    // MARK: Before anything is written

    private func check() throws(Failure) {
        do {
            for folder in [access(folder, F_OK) == 0 ? folder : options.folder, options.credentials] {
                try AtomicFile.check(access(folder, F_OK) == 0 ? folder + "/any" : folder)
            }
        } catch {
            throw Failure(.failed, error.message + (geteuid() == 0 ? "" : ": use sudo"))
        }
    }

    /// Throws if the file is from another author.
    private func checkFile(_ file: String) throws(Failure) {
        guard access(file, F_OK) != 0 || (try? SmallFile.read(file))?.hasPrefix(CorrectionsText.heading) == true else {
            throw Failure(.failed, "\(file) was not written by this command: give it another name, then run this again")
        }
    }

    private func chooseCaster() throws(Failure) -> CasterAddress {
        if let caster = options.caster { return caster }
        while true {
            let line = try questions.ask(CorrectionsText.caster)
            do {
                return try CasterAddress(parsing: String(line.trimmed))
            } catch {
                try Terminal.writeOutput("\(DisplayText.shown("\(error)"))\n")
            }
        }
    }

    /// Returns the address with a mount point, and whether the caster needs a position for it.
    private func chooseMount(of caster: CasterAddress) async throws -> (CasterAddress, Bool) {
        let stations = try stations(of: caster)
        if let mount = caster.mount {
            guard let station = stations.first(where: { $0.mount == mount }) else {
                throw Failure(.failed, "the caster's list has no mount point \(mount) with RTCM 3")
            }
            return (caster, station.needsPosition)
        }
        guard !stations.isEmpty else { throw Failure(.failed, "the caster's list has no mount point with RTCM 3") }
        let place = try await place()
        let ordered = NearestStation.ordered(stations, from: place)
        let shown = Array(ordered.prefix(CorrectionsText.maximumRows))
        try Terminal.writeOutput(CorrectionsText.table(shown, from: place, on: options.medium))
        let station = options.isConfirmed ? ordered[0] : try ask(for: ordered, shown)
        return (try caster.with(mount: station.mount), station.needsPosition)
    }

    /// Returns the mount points with RTCM 3 in a caster's list.
    private func stations(of caster: CasterAddress) throws(Failure) -> [Station] {
        let (result, remarks) = try options.program.run(["list", "\(caster)"])
        guard result.status == 0 else {
            throw Failure(.failed, "there is no list of \(caster): \(remarks.first ?? "it ended without a reason")")
        }
        return try options.program.values(Station.self, in: result, limit: SourceTable.maximumStations)
    }

    private func ask(for stations: [Station], _ shown: [Station]) throws(Failure) -> Station {
        while true {
            let word = try questions.ask(CorrectionsText.choice(of: stations.count)).trimmed
            if word.isEmpty { return stations[0] }
            if let number = Int(word), shown.indices.contains(number - 1) { return shown[number - 1] }
            if let station = stations.first(where: { $0.mount == word }) { return station }
            try Terminal.writeOutput("Answer with a number from 1 to \(shown.count), or with a name of the list.\n")
        }
    }

    /// Returns the user and the password; empty if the caster wants none.
    private func askForCredentials(_ address: CasterAddress) throws(Failure) -> [(name: String, text: String)] {
        // With everything answered on the command line, the credentials stay as they are.
        guard !options.isConfirmed else { return [] }
        while true {
            let user = String(try questions.ask(CorrectionsText.user).trimmed)
            if user.isEmpty { return [] }
            // RFC 7617, 2: the password begins after the first colon.
            guard !user.contains(":") else {
                try Terminal.writeOutput("A user for a caster cannot contain a colon.\n")
                continue
            }
            if !address.usesTLS { try Terminal.writeOutput(CorrectionsText.plain) }
            return [("user", user), ("password", try questions.askSecretly(CorrectionsText.password))]
        }
    }

    // MARK: The daemon

    /// Returns the cell that the machine is in, or `nil` if it is not known or this program may not have it.
    private func place() async throws -> NTRIP.Place? {
        let parameters = GetLocation.Parameters(desiredAccuracy: .reduced, timeout: 20, maximumAge: 3600)
        let location = try await daemon.withLocation(accuracy: .reduced) { [daemon] in
            try? await daemon.call(GetLocation.self, parameters).location
        }
        return location.flatMap { $0.map { NTRIP.Place($0) } }
    }

    /// Grants an instance the location with reduced accuracy, unless it may have it already.
    private func grant(_ app: String) async throws {
        guard let user = getpwnam(options.program.user) else {
            throw Failure(.failed, "there is no user \(options.program.user): install its package again")
        }
        let uid = Int(user.pointee.pw_uid)
        let known = try await daemon.list(ListApps.self, UserScope(uid: uid)).apps.first { $0.app == app }
        guard known?.decided != .authorizedAlways else { return }
        steps.undo { [daemon] in _ = try await daemon.call(Reset.self, AppScope(app: app, uid: uid)) }
        try await daemon.make(.grant(AppScope(app: app, uid: uid), .always, .permanent, .reduced))
    }

    private func test(_ unit: String) async throws {
        try Terminal.writeOutput("Waiting for corrections ...\n")
        let test = CorrectionsTest(daemon: daemon, unit: unit, duration: options.duration)
        let result = try await daemon.withLocation(accuracy: .full) { [steps] in try await test.run(steps) }
        guard let result else {
            return try Terminal.writeOutput("They could not be tested: locationctl may not have the location.\n")
        }
        try Terminal.writeOutput("\(DisplayText.shown(result.status)).\n")
        try Terminal.writeOutput(CorrectionsText.effect(on: result.location))
    }
}
