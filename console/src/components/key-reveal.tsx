import type { NewKey } from '../api/console-api.ts';
import { callsOf } from '../calls.ts';
import { CopyButton } from './copy-button.tsx';
import { Snippets } from './snippets.tsx';

/** Shows a key's plain text, once, and what to do with it. */
export function KeyReveal({ made, apiBase }: { readonly made: NewKey; readonly apiBase: string }) {
  return (
    <div className="grid gap-5">
      <div className="rounded-2xl border-2 border-accent border-dashed bg-accent-soft p-4">
        <p className="label !text-ink">{made.name}</p>
        <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
          <code className="min-w-0 font-mono font-semibold text-[0.9375rem] [overflow-wrap:anywhere]">
            {made.key}
          </code>
          <CopyButton text={made.key} name="key" className="button button-primary button-small" />
        </div>
        <p className="mt-2 text-sm">
          Keep it somewhere safe: it is shown this one time, and we keep only its fingerprint.
        </p>
      </div>
      <Snippets snippets={callsOf(`${apiBase}/store/orders`, made.key)} />
    </div>
  );
}
