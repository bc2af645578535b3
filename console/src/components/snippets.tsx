import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Snippet } from '../calls.ts';
import { sharedValue } from '../shared-value.ts';
import { CopyButton } from './copy-button.tsx';
import { ScrollingCode } from './scrolling-code.tsx';

/** The selected language, shared by all snippets. */
const language = sharedValue('curl');

/** Code snippets in tabs: one per language, or per `label`. */
export function Snippets({
  snippets,
  label = 'Language',
}: {
  readonly snippets: readonly Snippet[];
  readonly label?: string;
}) {
  const [localName, setLocalName] = useState('');
  const sharedLanguage = language.use();
  const isLanguage = label === 'Language';
  const name = isLanguage ? sharedLanguage : localName;
  const chosen = Math.max(
    0,
    snippets.findIndex((snippet) => snippet.name === name),
  );
  const choose = (index: number) => (isLanguage ? language.set : setLocalName)(snippets[index]?.name ?? '');
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const shown = snippets[chosen] ?? snippets[0];
  if (!shown) return null;

  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (chosen + step + snippets.length) % snippets.length;
    choose(next);
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };

  return (
    <div className="@container overflow-hidden rounded-2xl border border-line bg-sunken">
      <div className="flex items-center justify-between gap-2 border-line border-b py-1.5 pr-2 pl-2">
        <div ref={tabs} role="tablist" aria-label={label} className="flex min-w-0 flex-wrap" onKeyDown={move}>
          {snippets.map(({ name }, index) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${index}`}
              aria-selected={index === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => choose(index)}
              className={`rounded-lg px-1.5 @sm:px-3 py-1.5 font-semibold text-sm ${index === chosen ? 'bg-surface text-ink' : 'text-ink-soft hover:text-ink'}`}
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton key={shown.name} text={shown.code} name={`${shown.name} snippet`} compact />
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        <ScrollingCode text={shown.code} language={isLanguage ? shown.name : 'sh'} className="min-h-28 p-4" />
      </div>
    </div>
  );
}
