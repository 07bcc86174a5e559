internal import CLinux
internal import Glibc

extension FileFacts {
    /// Reads the facts of the file at `path`, or returns `nil` if the file does not exist or may not be seen.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        self.init(
            uid: status.st_uid, gid: status.st_gid, owner: UserFacts.name(ofUser: status.st_uid), group: group,
            mode: status.st_mode & 0o7777)
        isDevice = status.st_mode & S_IFMT == S_IFCHR
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
    }
}

extension PortFacts {
    /// Reads the facts of the node at `path`, and finds the program besides locationd that has it open.
    init(path: String) {
        self.path = path
        let target = realpath(path, nil)
        node = target.map { String(cString: $0) } ?? path
        free(target)
        file = FileFacts(path: path)
        guard file?.isDevice == true else { return }
        var name = [CChar](repeating: 0, count: Int(TTY_NAME_SIZE))
        let pid = tty_holder(path, getpid(), &name)
        let text = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        // If the daemon itself has the port open, no other program can.
        if pid != 0, text != "locationd" { holder = Holder(name: text, pid: Int(pid)) }
    }
}
