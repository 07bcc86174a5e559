import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        print("POST", self.path, self.headers["Content-Type"], self.headers["Host"], body, flush=True)
        self.send_response(int(sys.argv[2]))
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *arguments): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("listening", flush=True)
server.serve_forever()
