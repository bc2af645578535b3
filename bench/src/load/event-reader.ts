import { connect, type Socket } from 'node:net';
import { requestBytes } from './connection.ts';

/** One open stream of events: who opened it is called with each event's id as it arrives. */
export class EventReader {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Open once its first line has come. */
  static open(port: number, key: string, onEvent: (id: string) => void): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let head = '';
      let rest = '';
      socket.setEncoding('latin1').once('error', reject);
      socket.once('close', () => reject(new Error(`the stream was closed: ${head}`)));
      socket.on('data', (text: string) => {
        if (!head.includes(': open')) {
          head += text;
          if (/^HTTP\/1.1 [^2]/.test(head)) reject(new Error(head));
          if (head.includes(': open')) resolve(new EventReader(socket));
          return;
        }
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const id = /^id: (\d+)\nevent: /m.exec(block)?.[1];
          if (id !== undefined) onEvent(id);
        }
      });
      socket.write(requestBytes('GET', '/v2/store/events/stream', { key }));
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
