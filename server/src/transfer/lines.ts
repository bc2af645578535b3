import { TransferError } from './format.ts';

const LONGEST_LINE = 4 * 1024 * 1024;

export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const chunk of chunks) {
      const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
      rest += first;
      for (const next of more) {
        yield rest;
        rest = next;
      }
      if (rest.length > LONGEST_LINE) throw new TransferError('the export has a line without an end');
    }
    rest += decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new TransferError('the export has bytes that are no text');
    throw error;
  }
  if (rest !== '') yield rest;
}
