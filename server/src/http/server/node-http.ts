/** `import` would also load the clients of `fetch` and WebSocket, an eighth of the startup time. */
export const http = process.getBuiltinModule('node:http');
