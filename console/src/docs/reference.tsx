import { useEffect } from 'react';
import { at, pathHere } from '../base-path.ts';
import { Logo } from '../components/logo.tsx';
import { ThemeSwitch } from '../components/theme-switch.tsx';
import type { ApiDocument, Group, Operation } from './document.ts';
import { signedInAs } from './key.ts';
import { OperationSection, type Place } from './operation.tsx';
import { Prose } from './prose.tsx';
import { useRead } from './use-read.ts';

export type Version = 'v1' | 'v2';
const versions: ReadonlyArray<[Version, stability: string]> = [
  ['v1', 'stable'],
  ['v2', 'beta'],
];

/** The reference of one API version, with a sidebar of operations. */
export function Reference({
  version,
  groups,
  deployment,
  ...place
}: Place & { readonly version: Version; readonly groups: readonly Group[]; readonly deployment: string }) {
  // The browser looked for the fragment before the page was rendered.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  return (
    <>
      <a
        href="#main"
        className="button button-primary sr-only focus:not-sr-only focus:fixed focus:top-1 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <Header version={version} groups={groups} deployment={deployment} />
      <div className="mx-auto flex max-w-[96rem]">
        <aside
          aria-label="Operations"
          className="sticky top-16 hidden h-[calc(100dvh-4rem)] w-64 flex-none overflow-y-auto px-4 py-6 lg:block"
        >
          <Contents groups={groups} />
          <div className="mt-8 px-3">
            <ThemeSwitch />
          </div>
        </aside>
        <main id="main" className="min-w-0 flex-1 px-4 pb-24 sm:px-6 lg:px-10">
          <Introduction document={place.document} version={version} />
          {groups.map(({ name, description, operations }) => (
            <section key={name} aria-label={name} className="border-line border-t pt-10">
              <h2 className="text-3xl">{name}</h2>
              <Prose text={description} className="mt-2 max-w-3xl text-ink-soft" />
              <div className="divide-y divide-line">
                {operations.map((operation) => (
                  <OperationSection key={operation.id} operation={operation} {...place} />
                ))}
              </div>
            </section>
          ))}
        </main>
      </div>
    </>
  );
}

function Header({
  version,
  groups,
  deployment,
}: {
  readonly version: Version;
  readonly groups: readonly Group[];
  readonly deployment: string;
}) {
  const who = signedInAs.use();
  return (
    <header id="docs-header" className="sticky top-0 z-20 border-line border-b bg-surface">
      <div className="mx-auto flex min-h-16 max-w-[96rem] flex-wrap items-center gap-x-5 gap-y-2 px-4 py-2 lg:px-7">
        <a
          href={at('/')}
          aria-label="Pet Store Service, home"
          className="flex items-center gap-2.5 font-bold font-display text-xl tracking-tight"
        >
          <Logo /> <span className="hidden sm:inline">Pet Store</span>
        </a>
        <nav aria-label="Version" className="flex gap-1 text-[0.9375rem]">
          {versions.map(([name, stability]) => (
            <a
              key={name}
              href={at(`/docs/${name}`)}
              aria-current={name === version ? 'page' : undefined}
              className={`rounded-xl px-2.5 py-1.5 font-semibold ${name === version ? 'bg-accent-soft text-accent' : 'text-ink-soft hover:text-ink'}`}
            >
              V<span className="max-sm:sr-only">ersion </span>
              {name.slice(1)} <small className="font-normal">{stability}</small>
            </a>
          ))}
        </nav>
        <nav
          aria-label="Pet Store"
          className="ml-auto flex items-center gap-5 font-semibold text-[0.9375rem]"
        >
          <span className="status tone-cancelled hidden capitalize md:inline-flex">{deployment}</span>
          <a href={at('/guides')} className="hidden text-ink-soft hover:text-ink md:inline">
            Guides
          </a>
          <a
            href={at(who ? '/console/account' : `/console/sign-in?back=${encodeURIComponent(pathHere())}`)}
            className="hidden max-w-48 truncate text-ink-soft hover:text-ink sm:inline"
          >
            {who ?? 'Sign in'}
          </a>
          <a href={at('/console')} className="button button-small">
            Console
          </a>
        </nav>
        <select
          aria-label="Jump to operation"
          className="input input-small lg:hidden"
          value=""
          onChange={(event) => location.assign(`#${event.target.value}`)}
        >
          <option value="">Jump to operation…</option>
          {groups.map(({ name, operations }) => (
            <optgroup key={name} label={name}>
              {operations.map(({ id, summary }) => (
                <option key={id} value={id}>
                  {plain(summary)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
    </header>
  );
}

function Contents({ groups }: { readonly groups: readonly Group[] }) {
  const read = useRead(groups);
  return (
    <nav aria-label="Contents" className="grid gap-5 text-[0.9375rem]">
      {groups.map(({ name, operations }) => (
        <div key={name}>
          <p className="mb-1 px-3 font-semibold">{name}</p>
          <ul>
            {operations.map((operation) => (
              <li key={operation.id}>
                <a
                  href={`#${operation.id}`}
                  aria-current={operation.id === read ? 'location' : undefined}
                  className="flex items-baseline justify-between gap-2 rounded-lg px-3 py-1 text-ink-soft hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent"
                >
                  <span className={operation.isDeprecated ? 'line-through' : ''}>
                    {plain(operation.summary)}
                  </span>
                  <Method operation={operation} />
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Removes Markdown code marks. */
const plain = (text: string) => text.replaceAll('`', '');

const Method = ({ operation: { method, isMessage } }: { readonly operation: Operation }) => (
  <code className="font-mono text-[0.6875rem]">
    {isMessage ? 'event' : method === 'DELETE' ? 'DEL' : method}
  </code>
);

function Introduction({
  document: { info, servers },
  version,
}: {
  readonly document: ApiDocument;
  readonly version: Version;
}) {
  return (
    <div className="max-w-3xl py-8 lg:py-10">
      <h1 className="text-[2rem] lg:text-[2.5rem]">
        {info.title}, {version === 'v1' ? 'version 1' : 'version 2'}
      </h1>
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-ink-soft text-sm">
        <span>{info.version}</span>
        <a href={at(`/${version}/openapi.json`)} className="link">
          OpenAPI document
        </a>
        <a href={at('/guides')} className="link">
          Guides
        </a>
        <a href={at('/guides/errors')} className="link">
          Error codes
        </a>
      </p>
      <dl aria-label="Base URLs" className="mt-5 grid gap-1">
        {servers.map(({ url, description }) => (
          <div key={url} className="flex flex-wrap gap-x-3">
            <dt className="w-24 text-ink-soft capitalize">{description}</dt>
            <dd className="font-mono text-sm leading-6 [overflow-wrap:anywhere]">{url}</dd>
          </div>
        ))}
      </dl>
      <Prose text={info.description ?? ''} className="mt-5" />
    </div>
  );
}
