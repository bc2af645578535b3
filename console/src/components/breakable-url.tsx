import { Fragment } from 'react';

/** A URL that breaks before a slash, if it has to. */
export function BreakableUrl({ url }: { readonly url: string }) {
  return url.split(/(?<=[^/:])(?=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity.
    <Fragment key={index}>
      <wbr />
      {part}
    </Fragment>
  ));
}
