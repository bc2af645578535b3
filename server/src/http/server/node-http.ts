/**
 * Node's HTTP server. Asked for like this, Node does not load its `fetch` and WebSocket with it, as it does for an
 * import: 16 MB, and a tenth of a start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
