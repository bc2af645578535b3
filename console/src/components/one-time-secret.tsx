import { CopyButton } from './copy-button.tsx';

/** A key or secret that is shown only once, with a copy button. */
export function OneTimeSecret({
  title,
  text,
  name,
  about,
  onCopy,
}: {
  readonly title: string;
  readonly text: string;
  /** Accessible name, such as "key". */
  readonly name: string;
  readonly about: string;
  readonly onCopy?: () => void;
}) {
  return (
    <div className="rounded-2xl border-2 border-accent border-dashed bg-accent-soft p-4">
      <div className="flex items-start justify-between gap-3">
        <p className="label !text-ink min-w-0 [overflow-wrap:anywhere]">{title}</p>
        <CopyButton
          text={text}
          name={name}
          className="button button-primary button-small"
          {...(onCopy && { onCopy })}
        />
      </div>
      <code className="mt-2 block font-mono font-semibold text-sm [overflow-wrap:anywhere] sm:text-[0.9375rem]">
        {text}
      </code>
      <p className="mt-2 text-sm">{about}</p>
    </div>
  );
}
