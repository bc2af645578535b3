import { Code } from '../components/code.tsx';

/** A code block of a prerendered page; `docs.ts` handles its buttons. */
export function CodeCard({
  text,
  language,
  title,
  canRun = false,
}: {
  readonly text: string;
  readonly language: string;
  readonly title?: string;
  /** Whether it is a request that changes nothing. */
  readonly canRun?: boolean;
}) {
  return (
    <div className={`code-card ${title ? '' : 'code-bare'}`}>
      <div className="code-head">
        {title && <p>{title}</p>}
        {canRun && (
          <button type="button" data-run>
            Run on staging
          </button>
        )}
        <button type="button" data-copy>
          Copy
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be focusable to be scrolled by keyboard. */}
      <pre tabIndex={0} className={language === 'json' ? 'wraps' : undefined}>
        <code>
          <Code text={text} language={language} />
        </code>
      </pre>
    </div>
  );
}
