/** What a stream says between two empty lines. */
export interface StreamedMessage {
  readonly id: string | undefined;
  /** Undefined where only the id is told. */
  readonly data: string | undefined;
}

/** Reads server-sent events; `onBytes` is told of every sign of life. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: () => void,
): AsyncGenerator<StreamedMessage, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      // What is not ended by an empty line was cut off.
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
