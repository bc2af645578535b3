/** Version, trace, span and flags; neither of the ids is all zeros. A later version may have more behind it. */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;

/** The trace that a header names, as far as we know the form; what is malformed counts as absent. */
export function traceparentOf(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [known] = form.exec(header) ?? [];
  return header.startsWith('00-') && header !== known ? undefined : known;
}
