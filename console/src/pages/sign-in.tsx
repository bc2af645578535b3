import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { noteSignUp } from '../after-sign-in.ts';
import { account, isWrongCredentials } from '../api/console-api.ts';
import { deploymentsQuery } from '../api/deployments.ts';
import { type Explanation, explain } from '../api/explain.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { Field } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { PetGlyph } from '../components/pet-glyph.tsx';
import { SignedOutFrame } from '../components/signed-out-frame.tsx';
import { ApiError } from '../components/states.tsx';
import { newPassword } from '../new-password.ts';
import { deletedAccount, saveVisit } from '../returning-visitor.ts';
import { Link } from '../router/link.tsx';
import { useLocation } from '../router/router.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

async function signInWith({ email, password }: Credentials): Promise<void> {
  await account.signIn(email, password);
  sessionEnded.set(false);
  saveVisit();
  deletedAccount.set(undefined);
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

export function SignIn() {
  const { search } = useLocation();
  const staging = useIsStaging();
  const signIn = useMutation({ mutationFn: signInWith });
  return (
    <SignedOutFrame>
      <Page name="Sign in" title="Welcome back" lead="Sign in to your store.">
        <CredentialsForm
          submitLabel="Sign in"
          pending={signIn.isPending}
          onSubmit={signIn.mutate}
          autoComplete="current-password"
          error={signIn.error}
          credentialsError={{
            title: 'Incorrect email or password',
            text: staging
              ? "Production accounts don't work on staging. Sign in with a staging account."
              : 'Check both and try again.',
          }}
        />
        <p className="mt-6 text-ink-soft">
          New to Pet Store?{' '}
          <Link to={`/sign-up${search ? `?${search}` : ''}`} className="link">
            Create an account
          </Link>
        </p>
        <KeySignInLink />
        <ForgottenPassword />
        {staging && <StagingNotice />}
      </Page>
    </SignedOutFrame>
  );
}

export function SignUp() {
  const { search } = useLocation();
  const staging = useIsStaging();
  const deletedEmail = deletedAccount.use();
  const signUp = useMutation({
    mutationFn: async (credentials: Credentials) => {
      await account.signUp(credentials.email, credentials.password);
      noteSignUp();
      await signInWith(credentials);
    },
  });
  return (
    <SignedOutFrame>
      {deletedEmail !== undefined && <AccountDeleted email={deletedEmail} />}
      <Page
        name="Sign up"
        title="Create your account"
        lead="You get your own store with 12 pets, 40 orders and an API key. Free, and for demonstration only."
      >
        <CredentialsForm
          submitLabel="Sign up"
          pending={signUp.isPending}
          onSubmit={signUp.mutate}
          autoComplete="new-password"
          error={signUp.error}
          credentialsError={{
            title: "Couldn't sign you in",
            text: 'If you already have an account with this email, sign in with its password.',
          }}
        />
        <p className="mt-6 text-ink-soft">
          Already have an account?{' '}
          <Link to={`/sign-in${search ? `?${search}` : ''}`} className="link">
            Sign in
          </Link>
        </p>
        <KeySignInLink />
        {staging && <StagingNotice />}
      </Page>
    </SignedOutFrame>
  );
}

/** Whether this is staging; false until the OpenAPI document has loaded. */
const useIsStaging = () => useQuery(deploymentsQuery).data?.[0]?.name === 'staging';

/** Stores created on the command line, and the demonstration store, have keys but no account. */
function KeySignInLink() {
  return (
    <p className="mt-3 text-ink-soft">
      Only have an API key?{' '}
      <Link to="/open" className="link">
        Sign in with a key
      </Link>
    </p>
  );
}

function StagingNotice() {
  return (
    <p className="mt-4 rounded-2xl bg-pending-soft p-3.5 text-sm">
      <strong>This is staging.</strong> Accounts, stores and keys are separate from production, and nothing
      you do here affects production.
    </p>
  );
}

function ForgottenPassword() {
  return (
    <details className="mt-3 text-ink-soft">
      <summary className="font-semibold text-accent text-sm">Forgot your password?</summary>
      <p className="mt-2 text-sm">
        This service doesn't send email. Ask its operator to reset your password with{' '}
        <code className="whitespace-nowrap font-mono text-ink">petstore accounts reset-password</code>.
      </p>
    </details>
  );
}

/** Confirms that an account was deleted. */
function AccountDeleted({ email }: { readonly email: string }) {
  return (
    <div role="status" className="panel mb-8 flex items-start gap-4 p-4">
      <PetGlyph category="tortoise" size={44} />
      <div className="min-w-0 text-sm">
        <p className="font-semibold text-base">Your account was deleted</p>
        <p className="mt-0.5 text-ink-soft">
          <span className="[overflow-wrap:anywhere]">{email}</span>, its store and its orders are gone, and
          its API keys no longer work. You can create a new account at any time.
        </p>
      </div>
    </div>
  );
}

function CredentialsForm({
  submitLabel,
  pending,
  onSubmit,
  autoComplete,
  error,
  credentialsError,
}: {
  readonly submitLabel: string;
  readonly pending: boolean;
  readonly onSubmit: (given: Credentials) => void;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly error: unknown;
  /** Shown when the email and password do not match. */
  readonly credentialsError: Explanation;
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
        label="Email"
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
      {error ? (
        <ApiError explanation={isWrongCredentials(error) ? credentialsError : explain(error)} />
      ) : null}
      <button type="submit" className="button button-primary mt-1 min-h-12 text-base" disabled={pending}>
        {pending ? 'Please wait…' : submitLabel}
      </button>
    </form>
  );
}
