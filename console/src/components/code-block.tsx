import { CopyButton } from './copy-button.tsx';
import { ScrollingCode } from './scrolling-code.tsx';

/** A titled code block with a copy button. */
export function CodeBlock({
  title,
  text,
  copyText = text,
  name = title.toLowerCase(),
  language = /^\s*[[{]/.test(text) ? 'json' : 'sh',
  onCopy,
}: {
  readonly title: string;
  readonly text: string;
  /** The text to copy, if it differs from `text`. */
  readonly copyText?: string;
  /** Accessible name of the copied text. */
  readonly name?: string;
  readonly language?: string;
  readonly onCopy?: () => void;
}) {
  return (
    <div className="@container overflow-hidden rounded-2xl border border-line bg-sunken">
      <div className="flex items-center justify-between gap-3 border-line border-b py-1.5 pr-2 pl-4">
        <p className="font-semibold text-sm">{title}</p>
        <CopyButton text={copyText} name={name} compact {...(onCopy && { onCopy })} />
      </div>
      <ScrollingCode text={text} language={language} className="p-4" />
    </div>
  );
}
