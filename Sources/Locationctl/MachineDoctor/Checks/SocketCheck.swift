internal import LocationProtocol
internal import LocationctlSupport

/// The check of the two sockets and of the folders that hold them.
enum SocketCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let folder = facts.folder else {
            return [
                .problem(
                    translated("the public socket {path} does not exist", ["path": facts.publicSocket.path]),
                    why: translated("locationd is not running, or its sockets are elsewhere"),
                    advice: start(facts))
            ]
        }
        guard facts.isFolderOpen else {
            return [
                .problem(
                    translated(
                        "{folder} is not accessible to this user ({owner})",
                        ["folder": facts.directory, "owner": folder.description]),
                    why: translated("apps cannot reach the sockets in it"),
                    advice: facts.isInstalled ? "`sudo chmod 0755 \(facts.directory)`" : nil)
            ]
        }
        let managementPath = ManageInterface.folder(in: facts.directory)
        let managementSafety = facts.managementFolder.map { safety(of: $0, managementPath, facts) } ?? []
        return safety(of: folder, facts.directory, facts) + managementSafety + publicSocket(facts)
            + managementSocket(facts)
    }

    /// Returns a problem if users other than root or the daemon's may write to the folder. Such a user can put
    /// another socket in the daemon's place and send apps any location.
    private static func safety(of folder: FileFacts, _ path: String, _ facts: Facts) -> [Finding] {
        guard facts.isInstalled else { return [] }
        let trusted: [UInt32] = [0, facts.daemonUser?.uid ?? 0]
        guard !trusted.contains(folder.uid) || folder.mode & 0o022 != 0 else { return [] }
        return [
            .problem(
                translated(
                    "users other than root may write to {path} ({owner})", ["path": path, "owner": folder.description]),
                why: translated("such a user could replace the socket and send every app a false location"),
                advice: "`sudo chown root:root \(path) && sudo chmod 0755 \(path)`")
        ]
    }

    private static func publicSocket(_ facts: Facts) -> [Finding] {
        let socket = facts.publicSocket
        guard let file = socket.file, file.isSocket else {
            return [
                .problem(
                    translated("the public socket {path} does not exist", ["path": socket.path]),
                    why: translated("locationd is not running, or its sockets are elsewhere"),
                    advice: start(facts))
            ]
        }
        guard socket.isOpen else {
            return [
                .problem(
                    translated(
                        "{path} is not accessible to this user ({owner})",
                        ["path": socket.path, "owner": file.description]),
                    why: translated("every app must be able to connect; locationd decides what it gets"),
                    advice: mend(socket, mode: "0666", unit: "locationd.socket", facts))
            ]
        }
        if facts.isInstalled, file.mode & 0o666 != 0o666 {
            return [
                .problem(
                    translated(
                        "{path} is not accessible to all users ({owner})",
                        ["path": socket.path, "owner": file.description]),
                    why: translated("every app must be able to connect; locationd decides what it gets"),
                    advice: mend(socket, mode: "0666", unit: "locationd.socket", facts))
            ]
        }
        return [.ok(translated("the public socket exists: {path}", ["path": socket.path]))]
    }

    private static func managementSocket(_ facts: Facts) -> [Finding] {
        let socket = facts.managementSocket
        guard let file = socket.file, file.isSocket else {
            return [
                .problem(
                    translated("the management socket {path} does not exist", ["path": socket.path]),
                    advice: start(facts))
            ]
        }
        guard facts.isInstalled else { return [] }
        guard file.group == "locationd" else {
            return [
                .note(
                    translated(
                        "{path} does not belong to the group locationd ({owner})",
                        ["path": socket.path, "owner": file.description]),
                    why: translated(
                        "members of its group may manage, and polkit decides about other users at each call"),
                    advice: facts.system.hasSystemd
                        ? mend(socket, setting: "SocketGroup=", mode: "", unit: "locationd-manage.socket", facts)
                        : "`sudo chgrp locationd \(socket.path)`")
            ]
        }
        guard file.mode & 0o666 == 0o666 else {
            return [
                .note(
                    translated(
                        "{path} is not accessible to all users ({owner})",
                        ["path": socket.path, "owner": file.description]),
                    why: translated(
                        "only root and the group locationd can manage apps; others are not asked for a password"),
                    advice: mend(socket, mode: "0666", unit: "locationd-manage.socket", facts))
            ]
        }
        return [.ok(translated("the management socket exists: {path}", ["path": socket.path]))]
    }

    private static func start(_ facts: Facts) -> String {
        guard facts.isInstalled else {
            return translated("start locationd, or give its folder with --runtime-directory")
        }
        return facts.system.hasSystemd
            ? "`sudo systemctl enable --now locationd.socket locationd-manage.socket`"
            : translated("start it: `sudo locationd`")
    }

    private static func mend(
        _ socket: SocketFacts, setting: String = "SocketMode=", mode: String, unit: String, _ facts: Facts
    ) -> String {
        facts.system.hasSystemd && facts.isInstalled
            ? translated(
                "find what overrides {setting} with `systemctl cat {unit}`, then `sudo systemctl restart {unit}`",
                ["setting": setting, "unit": unit])
            : "`sudo chmod \(mode) \(socket.path)`"
    }
}
