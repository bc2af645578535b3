import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { storeQueries } from '../api/queries.ts';
import { requestsQuery } from '../api/requests.ts';
import { Icon } from '../components/icon.tsx';
import { PetGlyph } from '../components/pet-glyph.tsx';
import { navigate } from '../router/router.ts';
import { type Command, findCommands } from './commands.ts';
import { overlay } from './overlay.ts';

const close = () => overlay.set(undefined);

function follow({ to, href, run }: Command): void {
  close();
  if (to !== undefined) navigate(to);
  else if (href !== undefined) window.open(href, '_blank', 'noopener');
  else run?.();
}

/** Finds orders, pets, requests, pages, guides, operations and actions, and opens the chosen one. */
export default function CommandPalette({
  pages,
  actions,
}: {
  readonly pages: readonly Command[];
  readonly actions: readonly Command[];
}) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const pets = useQuery(storeQueries.pets()).data;
  const requests = useQuery({ ...requestsQuery, refetchInterval: false }).data;
  const groups = useMemo(
    () => findCommands(text, { pages, actions, pets: pets ?? [], requests: requests ?? [] }),
    [text, pages, actions, pets, requests],
  );
  const all = groups.flatMap(({ commands }) => commands);
  const current = all[Math.min(chosen, all.length - 1)];
  const id = useId();
  const idOf = (command: Command) => `${id}-${all.indexOf(command)}`;
  const list = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || all.length === 0) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && event.key !== 'Enter') return;
    event.preventDefault();
    if (step !== 0) setChosen((chosen + step + all.length) % all.length);
    else if (current) follow(current);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever another entry is chosen.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  return (
    <TopDialog>
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Icon name="search" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here.
          autoFocus
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded={all.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={current && idOf(current)}
          autoComplete="off"
          spellCheck={false}
          placeholder="Search or jump to…"
          className="palette-input min-w-0 flex-1 bg-transparent py-4"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className="rounded-md" aria-label="Esc: close" onClick={close}>
          <kbd>Esc</kbd>
        </button>
      </div>
      {all.length === 0 && (
        <p role="status" className="px-5 py-10 text-center text-ink-soft">
          Nothing matches “{text.trim()}”.
        </p>
      )}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2 empty:hidden"
      >
        {groups.map(({ name, commands }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset.
          <div key={name} role="group" aria-label={name}>
            <p className="label px-3 pt-2 pb-1" aria-hidden="true">
              {name}
            </p>
            {commands.map((command) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys.
              <div
                key={command.id}
                id={idOf(command)}
                role="option"
                tabIndex={-1}
                aria-selected={command === current}
                onPointerMove={() => setChosen(all.indexOf(command))}
                onClick={() => follow(command)}
                className="flex cursor-pointer items-center gap-3 rounded-xl px-3 py-2 aria-selected:bg-accent-soft"
              >
                <span className="grid size-7 flex-none place-items-center text-ink-soft">
                  {command.animal === undefined ? (
                    <Icon name={command.icon ?? 'right'} size={18} />
                  ) : (
                    <PetGlyph category={command.animal} size={28} />
                  )}
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-semibold text-[0.9375rem] leading-tight">
                    {command.title}
                  </span>
                  {command.detail && (
                    <span className="block truncate text-[0.8125rem] text-ink-soft">{command.detail}</span>
                  )}
                </span>
                {command.href !== undefined && <Icon name="external" size={14} />}
              </div>
            ))}
          </div>
        ))}
      </div>
    </TopDialog>
  );
}

/** A modal dialog near the top of the window, without a heading. */
function TopDialog({ children }: { readonly children: React.ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, too.
    <dialog
      ref={dialog}
      aria-label="Command palette"
      className="sheet sheet-top"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) close();
      }}
    >
      {children}
    </dialog>
  );
}
