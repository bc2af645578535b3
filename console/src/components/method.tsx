const tones: Readonly<Record<string, string>> = {
  GET: 'shipped',
  POST: 'delivered',
  PUT: 'pending',
  PATCH: 'pending',
  DELETE: 'failed',
};

/** An HTTP method as a coloured badge. */
export function Method({ method }: { readonly method: string }) {
  return <span className={`method tone-${tones[method] ?? 'cancelled'}`}>{method}</span>;
}
