import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

/** Copies text and confirms it, also to screen readers. The button keeps its width. */
export function CopyButton({
  text,
  name,
  className = 'button button-small',
  compact = false,
  onCopy,
}: {
  readonly text: string;
  /** Accessible name of the copied text, such as "key". */
  readonly name: string;
  readonly className?: string;
  /** Shows only the icon in a narrow container. */
  readonly compact?: boolean;
  readonly onCopy?: () => void;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_500);
    return () => clearTimeout(timer);
  }, [copied]);

  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={`${copied ? 'Copied' : 'Copy'} ${name}`}
        onClick={async () => {
          const isCopied = await copyText(text);
          setCopied(isCopied);
          if (isCopied) onCopy?.();
        }}
      >
        <Icon name={copied ? 'check' : 'copy'} size={16} />
        <span className={compact ? 'hidden @md:grid' : 'grid'} aria-hidden="true">
          <span className={`col-start-1 row-start-1 ${copied ? 'invisible' : ''}`}>Copy</span>
          <span className={`col-start-1 row-start-1 ${copied ? '' : 'invisible'}`}>Copied</span>
        </span>
      </button>
      <span role="status" className="sr-only">
        {copied ? `Copied ${name}.` : ''}
      </span>
    </>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Fallback without the Clipboard API, which needs a secure context. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}
