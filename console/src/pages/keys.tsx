import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Deployment, type Key, keyPrefixes, type NewKey } from '../api/console-api.ts';
import { keysQuery, pastKeysQuery } from '../api/queries.ts';
import { unsavedKey } from '../api/unsaved-key.ts';
import { Icon } from '../components/icon.tsx';
import { CreateKeyDialog, RevokeKeyDialog, RollKeyDialog } from '../components/key-dialogs.tsx';
import { Page } from '../components/page.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { UseKey } from '../components/use-key.tsx';
import { day, expiry, relativeTime } from '../format.ts';
import { useFragmentAction } from '../use-fragment-action.ts';
import { useMinute } from '../use-minute.ts';

type OpenDialog = { what: 'create' } | { what: 'roll' | 'revoke'; key: Key };

export function Keys({ deployment }: { readonly deployment: Deployment }) {
  useMinute();
  const keys = useQuery(keysQuery);
  const [open, setOpen] = useState<OpenDialog>();
  useFragmentAction({ create: () => setOpen({ what: 'create' }) });
  const close = () => setOpen(undefined);
  const show = (created: NewKey) => {
    close();
    unsavedKey.set({ created, isFirst: false });
  };
  const working = keys.data ?? [];
  const pastPages = useInfiniteQuery(pastKeysQuery);
  const past = pastPages.data?.pages.flatMap(({ data }) => data) ?? [];
  const all = [...working, ...past];
  return (
    <Page
      name="Keys"
      title="API keys"
      lead={`A key gives access to this store, in ${deployment.name} only. Create one for each program, so that you can revoke it without affecting the others.`}
      actions={
        <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'create' })}>
          <Icon name="plus" size={18} /> Create key
        </button>
      }
    >
      <div className="panel min-h-22">
        {keys.isError && !keys.data ? (
          <Failure error={keys.error} retry={() => keys.refetch()} />
        ) : !keys.data ? (
          <SkeletonRows rows={2} className="h-20" />
        ) : working.length === 0 ? (
          <Empty title="No active keys" animal="tortoise">
            <p>Create a key to use this store through the API.</p>
          </Empty>
        ) : (
          <ul aria-label="Active keys">
            {working.map((key) => (
              <KeyRow key={key.id} item={key} prefix={keyPrefixes[deployment.name]} allKeys={all}>
                {key.replacedBy === null && (
                  <button
                    type="button"
                    className="button button-small"
                    aria-label={`Roll ${key.name}, ending in ${key.lastFour}`}
                    onClick={() => setOpen({ what: 'roll', key })}
                  >
                    Roll
                  </button>
                )}
                <button
                  type="button"
                  className="button button-small button-quiet-danger"
                  aria-label={`Revoke ${key.name}, ending in ${key.lastFour}`}
                  onClick={() => setOpen({ what: 'revoke', key })}
                >
                  Revoke
                </button>
              </KeyRow>
            ))}
          </ul>
        )}
      </div>
      {past.length > 0 && (
        <details className="mt-4">
          <summary className="font-semibold text-ink-soft">
            Revoked and expired keys ({past.length}
            {pastPages.hasNextPage && '+'})
          </summary>
          <div className="panel mt-3">
            <ul aria-label="Revoked and expired keys">
              {past.map((key) => (
                <KeyRow key={key.id} item={key} prefix={keyPrefixes[deployment.name]} allKeys={all} />
              ))}
            </ul>
          </div>
          {pastPages.hasNextPage && (
            <button
              type="button"
              className="button button-small mt-3"
              disabled={pastPages.isFetchingNextPage}
              onClick={() => pastPages.fetchNextPage()}
            >
              Show more
            </button>
          )}
        </details>
      )}
      <UseKey deployment={deployment} />
      {open?.what === 'create' && <CreateKeyDialog onClose={close} onCreated={show} />}
      {open?.what === 'roll' && <RollKeyDialog item={open.key} onClose={close} onCreated={show} />}
      {open?.what === 'revoke' && <RevokeKeyDialog item={open.key} onClose={close} />}
    </Page>
  );
}

function KeyRow({
  item,
  prefix,
  allKeys,
  children,
}: {
  readonly item: Key;
  readonly prefix: string;
  /** All keys, to look up the one that replaced it. */
  readonly allKeys: readonly Key[];
  readonly children?: React.ReactNode;
}) {
  const successor = allKeys.find(({ id }) => id === item.replacedBy);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b p-4 last:border-0 sm:p-5">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-semibold [overflow-wrap:anywhere]">{item.name}</p>
        <p className="mt-0.5 font-mono text-ink-soft text-sm">
          {prefix}…{item.lastFour}
          {item.scope === 'read' && <span className="font-sans"> · Read only</span>}
          {item.replacedBy !== null && (
            <span className="font-sans"> · replaced{successor && ` by …${successor.lastFour}`}</span>
          )}
        </p>
      </div>
      <div className="flex flex-1 basis-112 flex-wrap items-center gap-x-6 gap-y-3">
        <dl className="grid flex-1 basis-60 grid-cols-3 gap-3 text-sm">
          <Fact term="Created" value={day(item.createdAt)} />
          <Fact term="Last used" value={item.lastUsedAt ? relativeTime(item.lastUsedAt) : 'Never'} />
          {item.revokedAt ? (
            <Fact term="Revoked" value={day(item.revokedAt)} />
          ) : (
            <Fact term="Expires" value={item.expiresAt ? expiry(item.expiresAt) : 'Never'} />
          )}
        </dl>
        <div className="flex gap-1 sm:min-w-32 sm:justify-end">{children}</div>
      </div>
    </li>
  );
}

function Fact({ term, value }: { readonly term: string; readonly value: string }) {
  return (
    <div>
      <dt className="label">{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}
