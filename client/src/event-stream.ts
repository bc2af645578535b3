/** One block of a stream, up to an empty line. */
export interface StreamedMessage {
  readonly id: string | undefined;
  /** Undefined if the block only has an id. */
  readonly data: string | undefined;
}

/** Parses server-sent events; `onBytes` is called whenever bytes arrive, comments included. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: () => void,
): AsyncGenerator<StreamedMessage, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      // A block without an empty line at its end was cut off.
      if (done) return;
      onBytes();
      text += value;
      const blocks = text.split(/\r\n\r\n|\n\n|\r\r/);
      text = blocks.pop() ?? '';
      for (const block of blocks) yield parse(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parse(block: string): StreamedMessage {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    const before = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return { id: fields.get('id'), data: fields.get('data') };
}
