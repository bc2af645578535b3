import { useState } from 'react';
import { currentPath, publicPath } from '../base-path.ts';
import { setTypedKey, signedInAs, typedKey, useAvailableKey } from './key.ts';

/** The sign-in page, with a link back to the operation. */
export const signInHref = (operation: string) =>
  publicPath(`/console/sign-in?back=${encodeURIComponent(`${currentPath()}#${operation}`)}`);

/** The Authorization header as sent, or a form to enter a key. */
export function Authorization({ operation }: { readonly operation: string }) {
  const key = useAvailableKey();
  const email = signedInAs.use();
  const isTyped = typedKey.use() !== '';
  const [typing, setTyping] = useState(false);
  if (key !== '' && !typing) {
    return (
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <code className="font-mono text-[0.8125rem]">
          Authorization: Bearer {key.slice(0, 9)}…{key.slice(-4)}
        </code>
        <span className="text-ink-soft [overflow-wrap:anywhere]">
          {isTyped ? 'entered here' : `temporary session key for ${email}`}
        </span>
        <button type="button" className="link font-semibold" onClick={() => setTyping(true)}>
          Use another key
        </button>
      </p>
    );
  }
  return (
    <form
      className="flex flex-wrap items-center gap-2 text-sm"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        setTypedKey(String(new FormData(event.currentTarget).get('key') ?? ''));
        setTyping(false);
      }}
    >
      <label className="flex min-w-0 flex-1 basis-64 items-center gap-2">
        <span className="whitespace-nowrap font-semibold">API key</span>
        <input
          name="key"
          type="password"
          className="input input-small !font-mono"
          placeholder="<API_KEY>"
          autoComplete="off"
          spellCheck={false}
          defaultValue={typedKey.get()}
        />
      </label>
      <button type="submit" className="button button-small">
        Use key
      </button>
      {email === null && (
        <span className="text-ink-soft">
          or{' '}
          <a href={signInHref(operation)} className="link">
            sign in
          </a>{' '}
          to use a temporary key
        </span>
      )}
    </form>
  );
}
