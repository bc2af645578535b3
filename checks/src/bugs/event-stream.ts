import { Transform } from 'node:stream';

/** A transform stream that maps each complete event with `change`, which drops it by returning undefined. */
export function transformEvents(
  change: (text: string) => string | undefined,
  onChanged: (before: string, after: string) => void,
): Transform {
  let rest = '';
  return new Transform({
    transform(bytes: Buffer, _, done) {
      const texts = (rest + bytes.toString('latin1')).split('\n\n');
      rest = texts.pop() ?? '';
      for (const text of texts) {
        const changed = text.startsWith(':') ? text : change(text);
        if (changed !== text) onChanged(text, changed ?? '');
        if (changed !== undefined) this.push(`${changed}\n\n`, 'latin1');
      }
      done();
    },
  });
}
