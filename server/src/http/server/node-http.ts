/** As `import` gives it, it would also load the client of `fetch` and WebSocket: an eighth of a start. */
export const http = process.getBuiltinModule('node:http');
