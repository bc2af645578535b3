import { Code } from './code.tsx';

/** Code whose long lines scroll; JSON wraps between words. Focusable, so that the keyboard can scroll it. */
export function ScrollingCode({
  text,
  className,
  language,
}: {
  readonly text: string;
  readonly className: string;
  /** Highlighted if given. */
  readonly language?: string;
}) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable.
      tabIndex={0}
      className={`-outline-offset-2 overflow-x-auto font-mono text-[0.8125rem] leading-relaxed [overflow-wrap:normal] ${language === 'json' ? 'whitespace-pre-wrap' : ''} ${className}`}
    >
      {language ? <Code text={text} language={language} /> : text}
    </pre>
  );
}
