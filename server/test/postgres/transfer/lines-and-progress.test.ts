import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/transfer/format.ts';
import { showProgress } from '../../../src/transfer/progress.ts';

async function* inChunksOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('lines', () => {
  it.each([1, 2, 3, 7, 1000])('are found in chunks of %i bytes', async (size) => {
    const bytes = Buffer.from('["Zoë 🐈"]\n\n[]\nend');
    expect(await Array.fromAsync(linesOf(inChunksOf(bytes, size)))).toEqual(['["Zoë 🐈"]', '', '[]', 'end']);
  });

  it('must be text', async () => {
    await expect(Array.fromAsync(linesOf(inChunksOf(Buffer.from([0x5b, 0xff, 0x0a]), 2)))).rejects.toThrow(
      'not valid UTF-8',
    );
  });

  it('must have an end', async () => {
    const endless = inChunksOf(Buffer.alloc(6 * 1024 * 1024, 0x20), 65_536);
    await expect(Array.fromAsync(linesOf(endless))).rejects.toThrow('a line that is too long');
  });
});

describe('progress', () => {
  function screen(isTTY: boolean) {
    const written: string[] = [];
    const stream = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
    return { written, stream };
  }

  it('is a bar in a terminal, redrawn in place', () => {
    const { written, stream } = screen(true);
    const progress = showProgress({}, 'export', 2_000, stream);
    progress.add(1_000, 'orders');
    progress.add(1_000, 'orders');
    progress.end();
    const [drawn = '', end] = written;
    expect(drawn.startsWith('\r\x1b[Kexport [')).toBe(true);
    expect(drawn).toMatch(/\[#{30}\] 100% {2}2,000 of 2,000 rows {2}[\d.]+ s$/);
    expect(end).toBe('\n');
  });

  it('is plain lines outside a terminal', () => {
    const { written, stream } = screen(false);
    const progress = showProgress({}, 'verify', 4, stream);
    progress.add(1, 'orders');
    progress.end();
    expect(written.join('')).toMatch(/^verify 25% {2}1 of 4 rows {2}[\d.]+ s\n$/);
  });

  it('of an empty database is complete', () => {
    const { written, stream } = screen(false);
    showProgress({}, 'import', 0, stream).end();
    expect(written.join('')).toContain('import 100%  0 of 0 rows');
  });
});
