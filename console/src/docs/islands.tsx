import { hydrateRoot } from 'react-dom/client';
import { parseJson } from '../../../client/src/json.ts';
import { at } from '../base-path.ts';
import { keepFocusNear } from '../focus-stays.ts';
import type { Request } from './document.ts';
import { typedKey } from './key.ts';
import { type FormPlace, foundSampleIds } from './place.ts';
import { findSampleIds } from './sample-ids.ts';
import { TryIt } from './try-it.tsx';
import { sendWithKey } from './use-sending.ts';

interface Page extends FormPlace {
  readonly requests: readonly Request[];
}

/** Hydrates the prerendered forms of the page. `hasKey` resolves once the session is known. */
export async function openForms(json: string, hasKey: Promise<boolean>): Promise<void> {
  const { requests, ...place } = parseJson(json) as Page;
  for (const request of requests) {
    const form = document.querySelector<HTMLElement>(`[data-try="${request.id}"]`);
    if (!form) continue;
    keepFocusNear(form);
    hydrateRoot(form, <TryIt request={request} place={place} />, { identifierPrefix: request.id });
  }
  // Requests with an entered key are logged and trigger faults, so only the session's key reads IDs.
  if (!(await hasKey) || typedKey.get() !== '') return;
  foundSampleIds.set(await findSampleIds(place.version, (list) => readIds(list).catch(() => [])));
}

async function readIds(page: string): Promise<string[]> {
  const response = await sendWithKey(
    { method: 'GET', url: at(`/v2${page}`), headers: [], body: undefined },
    { isTryIt: false },
  );
  if (!response.ok) return [];
  const { data } = parseJson(await response.text()) as { data: { id: bigint | string }[] };
  return data.map(({ id }) => String(id));
}
