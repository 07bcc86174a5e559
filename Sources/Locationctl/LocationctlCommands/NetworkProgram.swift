internal import Glibc
internal import JSON
internal import LocationctlSupport

/// A program of another package that has the network: neither the daemon nor this program accesses it.
struct NetworkProgram {
    /// The name of the program and of its package.
    let name: String
    /// The user that the program runs as if this one runs as root.
    let user: String
    /// The places of the program.
    var paths: [String]

    init(_ name: String, user: String) {
        (self.name, self.user) = (name, user)
        paths = ["/usr/sbin/\(name)", "/usr/local/sbin/\(name)"]
    }

    /// Returns the place of the program. Throws an error if it is not installed.
    func path() throws(Failure) -> String {
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
            throw Failure(
                .failed,
                "the program \(name) is not there: install the package of that name, as with `sudo apt install \(name)`"
            )
        }
        return path
    }

    /// Runs the program to its end. Returns its result, and its remarks, which are for the user.
    func run(_ arguments: [String]) throws(Failure) -> (result: ChildProcess.Result, remarks: [String]) {
        let path = try path()
        // Attack: another machine's answer exploits the program that reads it. So the program does not run as root.
        let isLess = geteuid() == 0 && getpwnam(user) != nil
        guard let result = ChildProcess.run(path, arguments, as: isLess ? user : nil) else {
            throw Failure(.failed, "\(path) cannot be run")
        }
        let remarks = result.errors.split(separator: "\n").map {
            String($0.hasPrefix("\(name): ") ? $0.dropFirst("\(name): ".count) : $0)
        }
        return (result, remarks)
    }

    /// Returns the values of the first lines that the program has printed, each in JSON.
    func values<Value: Decodable>(
        _ type: Value.Type, in result: ChildProcess.Result, limit: Int
    ) throws(Failure) -> [Value] {
        do {
            return try result.output.split(separator: "\n").prefix(limit).map {
                try JSONValue(parsing: String($0)).decoded(as: type)
            }
        } catch {
            throw Failure(
                .failed, "\(name) has answered what cannot be read: it is of another version than locationctl")
        }
    }
}
