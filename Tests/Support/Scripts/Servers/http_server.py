"""An HTTP server that answers each request as it is told, and prints each one as a line of JSON.

The arguments are a port and a JSON object: `answers`, of which the last is given for ever, each with `status`, `fields`
of the header and `body`; and for TLS `certificate` and `key`, with `authority` to require a client's certificate.
"""
import http.server
import json
import ssl
import sys
import threading

plan = json.loads(sys.argv[2])
answers, lock = plan["answers"], threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        certificate = self.connection.getpeercert() if plan.get("authority") else None
        with lock:
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            print(json.dumps({
                "method": self.command, "target": self.path, "body": body.decode(),
                "fields": {name.lower(): value for name, value in self.headers.items()},
                "connection": "%s:%d" % self.client_address,
                "client": str(dict(pair for part in certificate["subject"] for pair in part)) if certificate else "",
            }), flush=True)
        self.send_response(answer["status"])
        for name, value in answer["fields"].items():
            self.send_header(name, value)
        content = answer["body"].encode()
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_CONNECT = answer

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    """TLS begins on the connection's own thread: a client that is silent holds up no other."""

    def finish_request(self, request, client_address):
        try:
            if "certificate" in plan:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(plan["certificate"], plan["key"])
                if plan.get("greatestVersion"):
                    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
                    context.maximum_version = ssl.TLSVersion[plan["greatestVersion"]]
                    context.set_ciphers("ALL:@SECLEVEL=0")
                if plan.get("authority"):
                    context.load_verify_locations(plan["authority"])
                    context.verify_mode = ssl.CERT_REQUIRED
                request = context.wrap_socket(request, server_side=True)
            super().finish_request(request, client_address)
            request.close()
        except (OSError, ssl.SSLError):
            pass


server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
print("listening", flush=True)
server.serve_forever()
