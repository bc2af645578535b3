import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { account } from '../api/account.ts';
import { explain } from '../api/explain.ts';
import { Problem } from '../api/http.ts';
import { queryClient } from '../api/queries.ts';
import { sessionResumed } from '../api/session-end.ts';
import { forgetKey } from '../api/token.ts';
import { leave } from '../leave.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';

/** The session ended while the page was open: sign in again right here, and nothing on the page is lost. */
export function SessionExpired({ email }: { readonly email: string }) {
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => account.signIn(email, password),
    onSuccess: () => {
      forgetKey();
      sessionResumed();
      void queryClient.invalidateQueries();
    },
  });
  const wrong = signIn.error instanceof Problem && signIn.error.code === 'invalid_credentials';
  return (
    <Dialog title="Your session has ended" onClose={() => {}} closable={false}>
      <p className="mb-4 text-ink-soft">
        For safety, sessions do not last for ever, or you signed out elsewhere. Sign in again and carry on
        where you are.
      </p>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate();
        }}
      >
        <Field label="E-mail" type="email" value={email} readOnly autoComplete="username" />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          autofocus
          fallible
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={
            signIn.error
              ? wrong
                ? 'That is not the password of this account.'
                : explain(signIn.error).text
              : undefined
          }
        />
        <div className="flex flex-wrap gap-2">
          <button type="submit" className="button button-primary" disabled={signIn.isPending}>
            Sign in and carry on
          </button>
          <button type="button" className="button button-quiet" onClick={() => leave()}>
            Use another account
          </button>
        </div>
      </form>
    </Dialog>
  );
}
