import { Dialog } from '../components/dialog.tsx';
import { overlay, paletteKeys } from './overlay.ts';

const shortcuts: ReadonlyArray<readonly [group: string, keys: ReadonlyArray<readonly [string, string]>]> = [
  [
    'Everywhere',
    [
      [paletteKeys, 'Open command palette'],
      ['?', 'Show keyboard shortcuts'],
      ['Esc', 'Close a dialog'],
    ],
  ],
  [
    'Orders and requests',
    [
      ['j', 'Next row'],
      ['k', 'Previous row'],
      ['Enter', 'Open the row'],
      ['x', 'Select the order'],
    ],
  ],
];

export function ShortcutsDialog() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => overlay.set(undefined)}>
      <div className="grid gap-5">
        {shortcuts.map(([group, keys]) => (
          <section key={group} aria-label={group}>
            <h3 className="label mb-1">{group}</h3>
            <dl className="divide-y divide-line">
              {keys.map(([key, about]) => (
                <div key={key} className="flex items-center justify-between gap-4 py-2">
                  <dt className="order-2 flex-none">
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{about}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
