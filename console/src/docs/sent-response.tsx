import { publicPath } from '../base-path.ts';
import { CodeBlock } from '../components/code-block.tsx';
import { StatusCode } from '../components/mark.tsx';
import { milliseconds } from '../format.ts';
import { indentJson } from '../indent-json.ts';
import { isStaging } from '../theme/show-deployment.ts';
import { signInHref } from './authorization.tsx';
import type { RequestResult } from './use-sending.ts';

/** The response, with a link that explains its error code. */
export function SentResponse({
  result,
  operation,
}: {
  readonly result: RequestResult;
  readonly operation: string;
}) {
  const { status, headers, text, isTruncated, ms } = result;
  const code = /^\{"code":"(\w+)"/.exec(text)?.[1];
  if (status === undefined) {
    return (
      <p role="status" className="rounded-2xl bg-danger-soft p-4 text-sm">
        {isStaging()
          ? 'No response. The service is unreachable, or a sandbox fault closed the connection.'
          : 'No response. The service is unreachable.'}
      </p>
    );
  }
  return (
    <div className="grid gap-3">
      <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <StatusCode status={status} />
        <span className="text-ink-soft">{milliseconds(ms)}</span>
        {code && (
          <a href={publicPath(`/guides/errors#${code}`)} className="link" target="_blank" rel="noopener">
            What {code} means
          </a>
        )}
      </p>
      {status === 401 && (
        <p className="rounded-2xl bg-pending-soft p-3.5 text-sm">
          This request needs a valid API key. Enter one above, or{' '}
          <a href={signInHref(operation)} className="link">
            sign in
          </a>{' '}
          to use a temporary key.
        </p>
      )}
      <details>
        <summary className="font-semibold text-accent text-sm">Headers</summary>
        <pre className="mt-2 whitespace-pre-wrap font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
          {headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        </pre>
      </details>
      {text === '' ? (
        <p className="text-ink-soft text-sm">No body.</p>
      ) : (
        <div className="max-h-128 overflow-y-auto rounded-2xl" tabIndex={-1}>
          <CodeBlock
            title={isTruncated ? 'Response (truncated)' : 'Response'}
            text={indentJson(text)}
            copyText={text}
            name="response"
          />
        </div>
      )}
    </div>
  );
}
