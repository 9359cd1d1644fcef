// One request to the host's socket and its outcome: u32 little endian, then JSON; one connection a request (contract 5).
import { connect } from "node:net";

export function relay(path, request) {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(JSON.stringify(request));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    const parts = [];
    const socket = connect(path, () => socket.write(Buffer.concat([head, body])));
    socket.on("data", (part) => parts.push(part));
    socket.on("error", reject);
    socket.on("end", () => resolve(JSON.parse(Buffer.concat(parts).subarray(4).toString()).outcome));
  });
}
