import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { account, wrongCredentials } from '../api/console-api.ts';
import { deploymentsQuery } from '../api/deployments.ts';
import { type Explanation, explain } from '../api/explain.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { deletedAccount, rememberVisit } from '../been-here.ts';
import { Field } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { PetGlyph } from '../components/pet-glyph.tsx';
import { SignedOutFrame } from '../components/signed-out-frame.tsx';
import { Refusal } from '../components/states.tsx';
import { noteSignUp } from '../go-on.ts';
import { newPassword } from '../new-password.ts';
import { Link } from '../router/link.tsx';
import { usePlace } from '../router/router.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

async function enter({ email, password }: Credentials): Promise<void> {
  await account.signIn(email, password);
  sessionEnded.set(false);
  rememberVisit();
  deletedAccount.set(undefined);
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

export function SignIn() {
  const { search } = usePlace();
  const staging = useIsStaging();
  const signIn = useMutation({ mutationFn: enter });
  return (
    <SignedOutFrame>
      <Page name="Sign in" title="Welcome back" lead="Sign in to your store.">
        <CredentialsForm
          submit="Sign in"
          pending={signIn.isPending}
          onSubmit={signIn.mutate}
          autoComplete="current-password"
          error={signIn.error}
          wrong={{
            title: 'That did not match',
            text: `The address or the password is not right.${staging ? ' An account of production does not work here: staging has accounts of its own.' : ''}`,
          }}
        />
        <p className="mt-6 text-ink-soft">
          New here?{' '}
          <Link to={`/sign-up${search ? `?${search}` : ''}`} className="link">
            Open a store
          </Link>
        </p>
        <OnlyAKey />
        <ForgottenPassword />
        {staging && <SeparateAccounts />}
      </Page>
    </SignedOutFrame>
  );
}

export function SignUp() {
  const { search } = usePlace();
  const staging = useIsStaging();
  const gone = deletedAccount.use();
  const signUp = useMutation({
    mutationFn: async (given: Credentials) => {
      await account.signUp(given.email, given.password);
      noteSignUp();
      await enter(given);
    },
  });
  return (
    <SignedOutFrame>
      {gone !== undefined && <LastWord email={gone} />}
      <Page
        name="Sign up"
        title="Open your own store"
        lead="It comes with twelve pets, forty orders and your first API key. It is for demonstration, and free."
      >
        <CredentialsForm
          submit="Sign up"
          pending={signUp.isPending}
          onSubmit={signUp.mutate}
          autoComplete="new-password"
          error={signUp.error}
          wrong={{
            title: 'We could not sign you in',
            text: 'If you already have an account with this address, sign in with the password you chose then.',
          }}
        />
        <p className="mt-6 text-ink-soft">
          Have a store already?{' '}
          <Link to={`/sign-in${search ? `?${search}` : ''}`} className="link">
            Sign in
          </Link>
        </p>
        <OnlyAKey />
        {staging && <SeparateAccounts />}
      </Page>
    </SignedOutFrame>
  );
}

/** Whether this is staging, as far as the public document has told. */
const useIsStaging = () => useQuery(deploymentsQuery).data?.[0]?.name === 'staging';

/** Stores of the command line, and the one for demonstration, have keys and no account. */
function OnlyAKey() {
  return (
    <p className="mt-3 text-ink-soft">
      Only have a key?{' '}
      <Link to="/open" className="link">
        Open its store
      </Link>
    </p>
  );
}

function SeparateAccounts() {
  return (
    <p className="mt-4 rounded-2xl bg-pending-soft p-3.5 text-sm">
      <strong>This is staging.</strong> Its accounts, stores and keys are its own: one of production does not
      work here, and nothing that you do here reaches production.
    </p>
  );
}

function ForgottenPassword() {
  return (
    <details className="mt-3 text-ink-soft">
      <summary className="font-semibold text-accent text-sm">Forgot your password?</summary>
      <p className="mt-2 text-sm">
        This service sends no mail. Whoever runs it can set a new password for you, with{' '}
        <code className="whitespace-nowrap font-mono text-ink">petstore accounts reset-password</code> and
        your address.
      </p>
    </details>
  );
}

/** The last word to an account that was deleted. */
function LastWord({ email }: { readonly email: string }) {
  return (
    <div role="status" className="panel mb-8 flex items-start gap-4 p-4">
      <PetGlyph category="tortoise" size={44} />
      <div className="min-w-0 text-sm">
        <p className="font-semibold text-base">Your account is deleted</p>
        <p className="mt-0.5 text-ink-soft">
          Everything of <span className="[overflow-wrap:anywhere]">{email}</span> is gone: its store, its
          orders and its keys, which stop working at once. Thank you for having been here. You can open
          another store at any time.
        </p>
      </div>
    </div>
  );
}

function CredentialsForm({
  submit,
  pending,
  onSubmit,
  autoComplete,
  error,
  wrong,
}: {
  readonly submit: string;
  readonly pending: boolean;
  readonly onSubmit: (given: Credentials) => void;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly error: unknown;
  /** What is said when the service does not know this address with this password. */
  readonly wrong: Explanation;
}) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const isNew = autoComplete === 'new-password';
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ email: email.trim(), password });
      }}
    >
      <Field
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        autofocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label="Password"
        type="password"
        revealable
        autoComplete={autoComplete}
        required
        {...(isNew ? newPassword : {})}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {error ? <Refusal explanation={wrongCredentials(error) ? wrong : explain(error)} /> : null}
      <button type="submit" className="button button-primary mt-1 min-h-12 text-base" disabled={pending}>
        {pending ? 'One moment…' : submit}
      </button>
    </form>
  );
}
