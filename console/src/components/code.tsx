import { Fragment } from 'react';
import { highlight } from '../docs/highlight.ts';

/** Highlighted code; lines do not wrap. */
export function Code({ text, language }: { readonly text: string; readonly language: string }) {
  return highlight(text, language).map(([kind, part], index) =>
    kind ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity.
      <span key={index} className={`code-${kind}`}>
        {part}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
