/**
 * These bytes in memory of their own. Node cuts small buffers out of 64 KB at a time, which stay as long as any of them
 * does: whatever is held for long, and counted by its length, is copied out of there. What is large has such memory
 * already.
 */
export function ownBytes(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  if (pieces.length === 1 && first?.buffer.byteLength === first?.length) return first as Buffer;
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(bytes, at);
  return bytes;
}
