import { useQuery } from '@tanstack/react-query';
import type { NewKey } from '../api/console-api.ts';
import { storeQueries } from '../api/queries.ts';
import { markKeyCopied } from '../api/unsaved-key.ts';
import { exportLines, firstCalls } from '../calls.ts';
import { CodeBlock } from './code-block.tsx';
import { OneTimeSecret } from './one-time-secret.tsx';
import { Snippets } from './snippets.tsx';

/** Shows a new key once, with commands that use it. */
export function KeyReveal({ created, apiBase }: { readonly created: NewKey; readonly apiBase: string }) {
  const orders = useQuery(storeQueries.sampleOrders()).data;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <OneTimeSecret
        title={created.name}
        text={created.key}
        name="key"
        onCopy={markKeyCopied}
        about="Store it somewhere safe. Only a hash is stored, so it can't be shown again."
      />
      <CodeBlock
        title="Environment variables"
        text={exportLines(apiBase, created.key)}
        name="environment variables"
        onCopy={markKeyCopied}
      />
      {orders && <Snippets snippets={firstCalls(orders)} />}
    </div>
  );
}
