import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Deployment } from '../api/console-api.ts';
import { type InspectedRequest, isTruncated, replayableCall, requestsQuery } from '../api/requests.ts';
import { publicPath } from '../base-path.ts';
import { BackLink } from '../components/back-link.tsx';
import { BreakableUrl } from '../components/breakable-url.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { Icon } from '../components/icon.tsx';
import { Method } from '../components/method.tsx';
import { Page, Section } from '../components/page.tsx';
import { ReplayRequest } from '../components/replay-request.tsx';
import { FaultBadge, RequestStatus } from '../components/request-status.tsx';
import { Snippets } from '../components/snippets.tsx';
import { ApiError, Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { samplesOf } from '../docs/samples.ts';
import { explainRequest } from '../error-messages.ts';
import { clock, day, milliseconds } from '../format.ts';
import { indentJson } from '../indent-json.ts';
import { operationOf } from '../requests-search.ts';
import { Link } from '../router/link.tsx';
import { isStaging } from '../theme/show-deployment.ts';
import { useKeyNames } from '../use-key-names.ts';

/** One request. It stays visible after the service has deleted it. */
export function RequestPage({ id, deployment }: { readonly id: string; readonly deployment: Deployment }) {
  const found = useQuery(requestsQuery);
  const request = found.data?.find((other) => other.id === id);
  return (
    <>
      <BackLink to="/requests" name="All requests" />
      {request ? (
        <RequestDetails request={request} origin={deployment.origin} />
      ) : (
        <Page name="Request" title="Request">
          <div className="panel">
            {found.isError ? (
              <Failure error={found.error} retry={() => found.refetch()} />
            ) : found.data ? (
              <Empty title="This request is no longer available" animal="fish">
                <p>Only the last 200 requests of the past 24 hours are stored.</p>
              </Empty>
            ) : (
              <SkeletonRows rows={4} />
            )}
          </div>
        </Page>
      )}
    </>
  );
}

function RequestDetails({
  request,
  origin,
}: {
  readonly request: InspectedRequest;
  readonly origin: string;
}) {
  const { method, path, status, error, fault, requestBody, answerBody } = request;
  const explanation = explainRequest(request);
  const call = replayableCall(origin, request);
  return (
    <Page
      name={`${method} ${path}`}
      title={
        <span className="block font-mono text-xl [overflow-wrap:anywhere] lg:text-2xl">
          <Method method={method} /> <BreakableUrl url={path} />
        </span>
      }
      lead={
        <span className="flex flex-wrap items-center gap-2">
          <RequestStatus request={request} />
          {fault && <FaultBadge fault={fault} />}
        </span>
      }
    >
      <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
        {explanation && (
          <div className="lg:col-span-2">
            <ApiError explanation={explanation}>
              {error !== null && (
                <a
                  href={publicPath(`/guides/errors#${error}`)}
                  className="link"
                  target="_blank"
                  rel="noopener"
                >
                  What {error} means
                </a>
              )}
              {fault !== null && (
                <Link to="/sandbox" className="link">
                  Go to sandbox
                </Link>
              )}
            </ApiError>
          </div>
        )}
        <div className="grid min-w-0 gap-4">
          <Facts request={request} />
          <Snippets snippets={samplesOf(call)} />
          {isTruncated(requestBody) ? (
            <p className="text-ink-soft text-sm">
              Only the first 4 KB of the request body are stored, so this code is incomplete.
            </p>
          ) : (
            isStaging() && <ReplayRequest key={request.id} call={call} />
          )}
        </div>
        <div className="grid min-w-0 gap-4">
          <Headers title="Request headers" headers={request.requestHeaders} />
          <Body title="Request body" text={requestBody} />
          <Headers
            title={fault === 'lost-answer' ? 'Lost response headers' : 'Response headers'}
            headers={request.responseHeaders}
          />
          <Body
            title={fault === 'lost-answer' ? 'Lost response body' : 'Response body'}
            text={answerBody}
            {...(status === null && { emptyText: 'No response was sent.' })}
          />
        </div>
      </div>
    </Page>
  );
}

function Facts({ request }: { readonly request: InspectedRequest }) {
  const keyNames = useKeyNames();
  const { at, durationMs, requestId, keyId, userAgent, traceparent } = request;
  const facts: Array<[string, ReactNode]> = [
    ['Operation', operationOf(request)],
    ['Time', `${day(at)}, ${clock(at)} UTC`],
    ['Duration', milliseconds(durationMs)],
    ['Key', keyNames.get(keyId) ?? keyId],
    ['User agent', userAgent ?? 'Not sent'],
    ['Request ID', requestId],
  ];
  if (traceparent !== null) facts.push(['Trace', traceparent]);
  return (
    <Section title="Details">
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {facts.map(([term, value]) => (
          <div key={term} className="min-w-0">
            <dt className="label">{term}</dt>
            <dd className="font-semibold [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Headers({
  title,
  headers,
}: {
  readonly title: string;
  readonly headers: InspectedRequest['requestHeaders'];
}) {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  return (
    <details className="group overflow-hidden rounded-2xl border border-line">
      <summary className="flex items-center gap-2 px-4 py-3 font-semibold text-sm hover:bg-sunken">
        <span className="text-ink-soft transition-transform group-open:rotate-90">
          <Icon name="right" size={16} />
        </span>
        {title} <span className="ml-auto font-normal text-ink-soft">{entries.length}</span>
      </summary>
      <dl className="grid gap-2 px-4 pb-4 font-mono text-[0.8125rem] sm:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)] sm:gap-x-4">
        {entries.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Body({
  title,
  text,
  emptyText = 'No body.',
}: {
  readonly title: string;
  readonly text: string | null;
  /** Shown if there is no body. */
  readonly emptyText?: string;
}) {
  if (text !== null)
    return (
      <CodeBlock
        title={isTruncated(text) ? `${title} (first 4 KB)` : title}
        text={indentJson(text)}
        copyText={text}
      />
    );
  return (
    <div className="rounded-2xl border border-line border-dashed p-4">
      <h2 className="font-semibold text-sm">{title}</h2>
      <p className="text-ink-soft text-sm">{emptyText}</p>
    </div>
  );
}
