import { createRoot } from 'react-dom/client';
import { parseJson } from '../../../client/src/json.ts';
import { at } from '../base-path.ts';
import { keepFocusNear } from '../focus-stays.ts';
import { showDeployment } from '../theme/show-deployment.ts';
import { type ApiDocument, groupsOf } from './document.ts';
import { readSession, typedKey } from './key.ts';
import { findPresent, type Present } from './present.ts';
import { Reference, type Version } from './reference.tsx';
import { sendWithKey } from './use-sending.ts';

const version: Version = /\/v2\/?$/.test(location.pathname) ? 'v2' : 'v1';
const path = at(`/${version}/openapi.json`);
const root = document.getElementById('root') as HTMLElement;
keepFocusNear(root);

async function readIds(page: string): Promise<string[]> {
  const response = await sendWithKey(
    { method: 'GET', url: at(`/v2${page}`), headers: [], body: undefined },
    { isTriedOut: false },
  );
  if (!response.ok) return [];
  const { data } = parseJson(await response.text()) as { data: { id: bigint | string }[] };
  return data.map(({ id }) => String(id));
}

/** Renders the document immediately, and again once IDs from the visitor's store are known. */
async function open(): Promise<void> {
  const response = await fetch(path);
  const api = parseJson(await response.text()) as ApiDocument;
  const [here] = api.servers;
  const deployment = here?.description === 'staging' ? 'staging' : 'production';
  showDeployment(deployment);
  document.title = `${api.info.title} API, ${version === 'v1' ? 'version 1' : 'version 2'}`;
  const groups = groupsOf(api, deployment);
  const page = createRoot(root);
  const show = (present: Present) =>
    page.render(
      <Reference
        version={version}
        deployment={deployment}
        groups={groups}
        document={api}
        base={here?.url ?? ''}
        present={present}
      />,
    );
  show(await findPresent(version, async () => []));
  const hasKey = await readSession().catch(() => false);
  // Requests with an entered key are logged and trigger faults, so only the session's key reads IDs.
  if (hasKey && typedKey.get() === '')
    show(await findPresent(version, (list) => readIds(list).catch(() => [])));
}

open().catch(() => {
  root.textContent = `Couldn't load the API reference. Reload the page, or read the OpenAPI document at ${path}.`;
});
