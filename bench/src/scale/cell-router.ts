import { createHash } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';

/** Stands for the balancer before cells: hash of the key → cell, from a directory; a connection stays where it began. */
const [port, ...entries] = process.argv.slice(2);
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
const directory = new Map(
  entries.map((entry) => {
    const [key = '', cell] = entry.split('=');
    return [hashOf(key), Number(cell)];
  }),
);

createServer((client: Socket) => {
  client.on('error', () => client.destroy());
  client.once('data', (bytes: Buffer) => {
    const key = /^authorization: Bearer (\S+)\r$/im.exec(bytes.toString('latin1'))?.[1] ?? '';
    const cell = directory.get(hashOf(key)) ?? [...directory.values()][0];
    const upstream = connect(Number(cell), '127.0.0.1');
    upstream.on('error', () => client.destroy());
    upstream.write(bytes);
    client.pipe(upstream);
    upstream.pipe(client);
  });
}).listen(Number(port), '127.0.0.1');
