import type { ReactNode } from 'react';
import { publicPath } from '../base-path.ts';
import { CodeCard } from './code-card.tsx';
import type { ApiDocument, Group, Operation } from './document.ts';
import { MethodBadge, ObjectSection, OperationSection, StatusBadge } from './operation.tsx';
import { documentedOrigins, type PageContext, type Version } from './page-context.ts';
import { Line, Prose } from './prose.tsx';

/** The link to an operation: version 1 is a single page, version 2 has a page per group. */
export const hrefOf = (version: Version, { tag }: Group, { id }: Pick<Operation, 'id'>) =>
  version === 'v1' ? `#${id}` : publicPath(`/docs/v2/${tag}#${id}`);

/** Version 1 on one page: quickstart, basics, and every operation. */
export function VersionOne({
  context,
  groups,
}: {
  readonly context: PageContext;
  readonly groups: readonly Group[];
}) {
  return (
    <>
      <Introduction version="v1" document={context.document} />
      <ObjectSection name="Error" document={context.document} />
      {groups.map((group) => (
        <GroupSection key={group.tag} group={group} context={context} />
      ))}
    </>
  );
}

/** The first page of version 2: quickstart, basics, and links to every operation. */
export function VersionTwo({
  document,
  groups,
}: {
  readonly document: ApiDocument;
  readonly groups: readonly Group[];
}) {
  return (
    <>
      <Introduction version="v2" document={document} />
      <section aria-labelledby="operations" className="border-line border-t py-10">
        <h2 id="operations" className="scroll-mt-20 text-3xl">
          All operations
        </h2>
        <div className="mt-6 grid gap-x-10 gap-y-8 md:grid-cols-2">
          {groups.map((group) => (
            <div key={group.tag} className="min-w-0">
              <h3 className="flex flex-wrap items-center gap-2.5 text-xl">
                <a href={publicPath(`/docs/v2/${group.tag}`)} className="hover:text-accent">
                  {group.name}
                </a>
                {group.operations[0] && <StatusBadge operation={group.operations[0]} />}
              </h3>
              <OperationList version="v2" group={group} hasAnchors />
            </div>
          ))}
        </div>
      </section>
      <ObjectSection name="ErrorBody" document={document} />
    </>
  );
}

/** One group of version 2 with its operations. */
export function GroupPage({ group, context }: { readonly group: Group; readonly context: PageContext }) {
  return (
    <>
      <div className="docs-row py-9">
        <div className="min-w-0">
          <h1 className="flex flex-wrap items-center gap-3 text-[2.25rem] lg:text-[2.5rem]">
            {group.name}
            {group.operations[0] && <StatusBadge operation={group.operations[0]} />}
          </h1>
          <Prose text={group.description} className="mt-3 text-ink-soft" />
          {context.isSandbox && (
            <p className="mt-4 hidden rounded-2xl bg-pending-soft p-4 text-[0.9375rem]" data-staging-only>
              Only staging has a sandbox.{' '}
              <a className="link" href={publicPath('/docs/v2/sandbox')}>
                Open this page on staging
              </a>
            </p>
          )}
        </div>
        <div className="panel min-w-0 self-start p-4 sm:p-5">
          <h2 className="font-sans font-semibold text-[0.9375rem]">
            {group.tag === 'messages' ? 'Messages' : 'Endpoints'}
          </h2>
          <OperationList version="v2" group={group} />
        </div>
      </div>
      {context.objects.map((name) => (
        <ObjectSection key={name} name={name} document={context.document} />
      ))}
      {group.operations.map((operation) => (
        <OperationSection key={operation.id} operation={operation} context={context} />
      ))}
    </>
  );
}

function GroupSection({ group, context }: { readonly group: Group; readonly context: PageContext }) {
  const object = group.name.replace(/s$/, '');
  return (
    <section aria-labelledby={group.tag} className="border-line border-t pt-10">
      <h2 id={group.tag} className="scroll-mt-20 text-3xl">
        {group.name}
      </h2>
      <Prose text={group.description} className="mt-2 mb-8 text-ink-soft" />
      {context.objects.includes(object) && <ObjectSection name={object} document={context.document} />}
      {group.operations.map((operation) => (
        <OperationSection key={operation.id} operation={operation} context={context} />
      ))}
    </section>
  );
}

function OperationList({
  version,
  group,
  hasAnchors = false,
}: {
  readonly version: Version;
  readonly group: Group;
  /** Whether links such as `/docs/v2#placeOrder` lead here; `docs.ts` follows them to the operation's page. */
  readonly hasAnchors?: boolean;
}) {
  return (
    <ul className="mt-2">
      {group.operations.map((operation) => (
        <li
          key={operation.id}
          {...(hasAnchors && { id: operation.id })}
          className="scroll-mt-20 rounded-lg target:bg-pending-soft"
        >
          <a
            href={hrefOf(version, group, operation)}
            className="-mx-2 flex items-baseline gap-2.5 rounded-lg px-2 py-1 hover:bg-sunken"
          >
            {!operation.isMessage && <MethodBadge method={operation.method} />}
            <span className="min-w-0 flex-1 text-[0.9375rem]">
              <Line text={operation.summary} />
            </span>
            <code className="font-mono text-[0.75rem] text-ink-soft max-sm:hidden">{operation.id}</code>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Introduction({
  version,
  document: { info },
}: {
  readonly version: Version;
  readonly document: ApiDocument;
}) {
  const [lead = '', ...basics] = (info.description ?? '').trim().split(/\n{2,}/);
  return (
    <>
      <div className="docs-row py-9">
        <div className="min-w-0">
          <h1 className="text-[2.25rem] lg:text-[2.75rem]">
            Pet Store API{' '}
            <span className="whitespace-nowrap font-normal text-ink-soft text-[0.5em] tracking-normal">
              version {version.slice(1)}, {version === 'v1' ? 'stable' : 'beta'}
            </span>
          </h1>
          <p className="mt-4 text-[1.125rem] text-ink-soft">
            <Line
              text={
                version === 'v1'
                  ? lead
                  : `List, place, ship and cancel orders, follow every change, and inject failures. ${lead}`
              }
            />
          </p>
        </div>
        <div className="panel min-w-0 self-start p-4 sm:p-5">
          <dl aria-label="Base URLs" className="grid gap-2">
            {(['production', 'staging'] as const).map((name) => (
              <div key={name} className="flex flex-wrap items-baseline gap-x-3" data-deployment-row={name}>
                <dt className="w-24 text-[0.9375rem] text-ink-soft capitalize">{name}</dt>
                <dd className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
                  <code>{`${documentedOrigins[name]}/${version}`}</code>
                </dd>
              </div>
            ))}
          </dl>
          <div className="flex flex-wrap gap-x-4 gap-y-1 mt-3 border-line border-t pt-3 text-[0.875rem]">
            <a href={publicPath(`/${version}/openapi.json`)} className="link">
              OpenAPI {info.version}
            </a>
            <a href={publicPath('/guides/errors')} className="link">
              Error codes
            </a>
            <a href={publicPath('/guides/limits')} className="link">
              Limits
            </a>
          </div>
        </div>
      </div>
      <Quickstart version={version} />
      <section aria-labelledby="basics" className="border-line border-t py-10">
        <h2 id="basics" className="scroll-mt-20 text-3xl">
          Basics
        </h2>
        <div className="mt-4 gap-x-12 xl:columns-2 [&_p]:mb-3.5 [&_p]:break-inside-avoid">
          <Prose text={basics.join('\n\n')} className="block!" />
        </div>
      </section>
    </>
  );
}

const KEY = `-H "Authorization: Bearer $PETSTORE_KEY"`;

const steps: Record<Version, ReadonlyArray<{ title: string; text: ReactNode; code: string }>> = {
  v1: [
    {
      title: 'Get a key',
      text: (
        <>
          <a className="link" href={publicPath('/console/sign-up')}>
            Sign up
          </a>{' '}
          and copy your key, or use the one that <code className="font-mono text-[0.875em]">npm start</code>{' '}
          prints. Your store has 12 pets and 40 orders.
        </>
      ),
      code: `export PETSTORE_URL=${documentedOrigins.production}/v1\nexport PETSTORE_KEY='<API_KEY>'`,
    },
    {
      title: 'List orders',
      text: (
        <>
          <a className="link" href="#listOrders">
            listOrders
          </a>{' '}
          returns all orders in one array.
        </>
      ),
      code: `curl "$PETSTORE_URL/store/orders" \\\n  ${KEY}`,
    },
    {
      title: 'Cancel an order',
      text: (
        <>
          <a className="link" href="#cancelOrder">
            cancelOrder
          </a>{' '}
          returns 204 for a pending order. A shipped order returns 409: shipping cannot be reversed.
        </>
      ),
      code: `curl -i -X DELETE "$PETSTORE_URL/store/orders/40" \\\n  ${KEY}`,
    },
  ],
  v2: [
    {
      title: 'Use the same key',
      text: 'Version 2 works on the same store as version 1.',
      code: `export PETSTORE_V2_URL=${documentedOrigins.production}/v2\nexport PETSTORE_KEY='<API_KEY>'`,
    },
    {
      title: 'Place an order',
      text: (
        <>
          <a className="link" href={publicPath('/docs/v2/orders#placeOrder')}>
            placeOrder
          </a>{' '}
          with an <code className="font-mono text-[0.875em]">Idempotency-Key</code> is safe to retry.
        </>
      ),
      code: `curl "$PETSTORE_V2_URL/store/orders" \\\n  ${KEY} \\\n  -H 'Content-Type: application/json' \\\n  -H 'Idempotency-Key: my-first-order' \\\n  -d '{"petId": 1, "quantity": 1}'`,
    },
    {
      title: 'List pending orders',
      text: (
        <>
          <a className="link" href={publicPath('/docs/v2/orders#listOrders')}>
            listOrders
          </a>{' '}
          filters, sorts and paginates.
        </>
      ),
      code: `curl "$PETSTORE_V2_URL/store/orders?status=pending&limit=5" \\\n  ${KEY}`,
    },
  ],
};

function Quickstart({ version }: { readonly version: Version }) {
  return (
    <section aria-labelledby="quickstart" data-quickstart className="border-line border-t py-10">
      <h2 id="quickstart" className="scroll-mt-20 text-3xl">
        Quickstart
      </h2>
      <ol className="mt-6 grid gap-6">
        {steps[version].map(({ title, text, code }, index) => (
          <li key={title} className="docs-row gap-y-3!">
            <div className="min-w-0">
              <h3 className="flex items-baseline gap-3 font-sans font-semibold text-[1.0625rem]">
                <span className="grid size-7 flex-none place-items-center rounded-full bg-accent-soft font-mono text-[0.8125rem] text-accent">
                  {index + 1}
                </span>
                {title}
              </h3>
              <p className="mt-1 pl-10 text-ink-soft">{text}</p>
            </div>
            <CodeCard title="Shell" text={code} language="sh" />
          </li>
        ))}
      </ol>
    </section>
  );
}
