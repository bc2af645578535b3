import { Transform } from 'node:stream';
import type { BugHooks } from './bug.ts';

/** A transform stream that maps each complete event or comment with its hook, which drops it by returning undefined. */
export function transformEvents(
  { event, comment }: Pick<BugHooks, 'event' | 'comment'>,
  onChanged: (before: string, after: string) => void,
): Transform {
  let rest = '';
  return new Transform({
    transform(bytes: Buffer, _, done) {
      const texts = (rest + bytes.toString('latin1')).split('\n\n');
      rest = texts.pop() ?? '';
      for (const text of texts) {
        const change = text.startsWith(':') ? comment : event;
        const changed = change ? change(text) : text;
        if (changed !== text) onChanged(text, changed ?? '');
        if (changed !== undefined) this.push(`${changed}\n\n`, 'latin1');
      }
      done();
    },
  });
}
