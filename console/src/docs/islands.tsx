import { hydrateRoot } from 'react-dom/client';
import { parseJson } from '../../../client/src/json.ts';
import { publicPath } from '../base-path.ts';
import { keepFocusNear } from '../keep-focus-near.ts';
import type { FormOperation } from './document.ts';
import { typedKey } from './key.ts';
import { type FormContext, foundSampleIds } from './page-context.ts';
import { findSampleIds } from './sample-ids.ts';
import { TryIt } from './try-it.tsx';
import { sendWithKey } from './use-sending.ts';

interface Page extends FormContext {
  readonly operations: readonly FormOperation[];
}

/** Hydrates the prerendered forms of the page. `hasKey` resolves once the session is known. */
export async function hydrateForms(json: string, hasKey: Promise<boolean>): Promise<void> {
  const { operations, ...context } = parseJson(json) as Page;
  for (const operation of operations) {
    const form = document.querySelector<HTMLElement>(`[data-try="${operation.id}"]`);
    if (!form) continue;
    keepFocusNear(form);
    hydrateRoot(form, <TryIt operation={operation} context={context} />, { identifierPrefix: operation.id });
  }
  // Requests with an entered key are logged and trigger faults, so IDs are read only with the session's key.
  if (!(await hasKey) || typedKey.get() !== '') return;
  foundSampleIds.set(await findSampleIds(context.version, (list) => readIds(list).catch(() => [])));
}

async function readIds(page: string): Promise<string[]> {
  const response = await sendWithKey(
    { method: 'GET', url: publicPath(`/v2${page}`), headers: [], body: undefined },
    { isTryIt: false },
  );
  if (!response.ok) return [];
  const { data } = parseJson(await response.text()) as { data: { id: bigint | string }[] };
  return data.map(({ id }) => String(id));
}
