import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { account } from '../api/console-api.ts';
import { queryClient } from '../api/queries.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { forgetKey } from '../api/token.ts';
import { leave } from '../leave.ts';
import { CurrentPassword } from './current-password.tsx';
import { Dialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';
import { Field } from './field.tsx';

/** Asks to sign in again where the session ended on an open page, so that nothing on it is lost. */
export function SessionExpired({ email }: { readonly email: string | null }) {
  return email === null ? <KeyEnded /> : <SignInAgain email={email} />;
}

function KeyEnded() {
  return (
    <Dialog
      title="Your session has ended"
      onClose={() => {}}
      stays="This store can be opened again with another key."
    >
      <p className="text-ink-soft">
        The key that opened this store was revoked or has expired, or you signed out elsewhere.
      </p>
      <button type="button" className="button button-primary mt-5" onClick={() => leave('/open')}>
        Open with another key
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
      stays="The page behind waits for you: sign in again, or use another account."
    >
      <DialogForm
        verb="Sign in and carry on"
        onSubmit={signIn.mutate}
        pending={signIn.isPending}
        otherwise="Use another account"
        onCancel={() => leave()}
      >
        <p className="text-ink-soft">
          For safety, sessions do not last for ever, or you signed out elsewhere. Sign in again and carry on
          where you are.
        </p>
        <Field label="Email" type="email" value={email} readOnly autoComplete="username" />
        <CurrentPassword
          label="Password"
          autofocus
          value={password}
          onChange={setPassword}
          error={signIn.error}
          wrong="That is not the password of this account."
        />
      </DialogForm>
    </Dialog>
  );
}
