import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { account } from '../api/console-api.ts';
import { queryClient } from '../api/queries.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { forgetKey } from '../api/token.ts';
import { endSession } from '../end-session.ts';
import { CurrentPassword } from './current-password.tsx';
import { Dialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';
import { Field } from './field.tsx';

/** Asks to sign in again when the session ends, without losing what is on the page. */
export function SessionExpired({ email }: { readonly email: string | null }) {
  return email === null ? <KeyEnded /> : <SignInAgain email={email} />;
}

function KeyEnded() {
  return (
    <Dialog
      title="Your session has ended"
      onClose={() => {}}
      blockedReason="To continue, sign in with another key."
    >
      <p className="text-ink-soft">
        The key you signed in with was revoked or has expired, or you signed out in another tab.
      </p>
      <button type="button" className="button button-primary mt-5" onClick={() => endSession('/open')}>
        Use another key
      </button>
    </Dialog>
  );
}

function SignInAgain({ email }: { readonly email: string }) {
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => account.signIn(email, password),
    onSuccess: () => {
      forgetKey();
      sessionEnded.set(false);
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Dialog
      title="Your session has ended"
      onClose={() => {}}
      blockedReason="Sign in to continue, or use another account."
    >
      <DialogForm
        submitLabel="Sign in"
        onSubmit={signIn.mutate}
        pending={signIn.isPending}
        cancelLabel="Use another account"
        onCancel={() => endSession()}
      >
        <p className="text-ink-soft">
          Your session expired, or you signed out in another tab. Sign in to continue where you left off.
        </p>
        <Field label="Email" type="email" value={email} readOnly autoComplete="username" />
        <CurrentPassword
          label="Password"
          autofocus
          value={password}
          onChange={setPassword}
          error={signIn.error}
        />
      </DialogForm>
    </Dialog>
  );
}
