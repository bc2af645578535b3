import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { account, isWrongCredentials, type Session } from '../api/console-api.ts';
import { accountLimits } from '../api/contract.generated.ts';
import { explain, explainAction } from '../api/explain.ts';
import { isApiError } from '../api/http.ts';
import { queryClient, sessionsQuery } from '../api/queries.ts';
import { forgetKey } from '../api/token.ts';
import { Activity } from '../components/activity.tsx';
import { CurrentPassword } from '../components/current-password.tsx';
import { DensitySwitch } from '../components/density-switch.tsx';
import { Dialog } from '../components/dialog.tsx';
import { DialogForm } from '../components/dialog-form.tsx';
import { Field } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { Page } from '../components/page.tsx';
import { SessionList } from '../components/session-list.tsx';
import { ApiError } from '../components/states.tsx';
import { ThemeSwitch } from '../components/theme-switch.tsx';
import { toast } from '../components/toast.tsx';
import { endSession } from '../end-session.ts';
import { day } from '../format.ts';
import { newPassword } from '../new-password.ts';
import { forgetVisit } from '../returning-visitor.ts';

export function AccountPage({ session }: { readonly session: Omit<Session, 'firstKey'> }) {
  const { email, createdAt, key } = session;
  if (key) return <SignedInWithKey sessionKey={key} />;
  return <Account session={{ email: email ?? '', createdAt: createdAt ?? '' }} />;
}

/** The account page of a session opened with a key, which has no account. */
function SignedInWithKey({ sessionKey }: { readonly sessionKey: NonNullable<Session['key']> }) {
  const signOut = useMutation({
    mutationFn: account.signOut,
    onSuccess: () => endSession(),
    onError: leaveIfSignedOut,
  });
  return (
    <Page
      name="Account"
      title="Signed in with an API key"
      lead={`“${sessionKey.name}” (…${sessionKey.lastFour}), ${sessionKey.scope === 'read' ? 'read only' : 'full access'}. The session ends when the key expires or is revoked.`}
      actions={
        <button
          type="button"
          className="button"
          onClick={() => signOut.mutate()}
          disabled={signOut.isPending}
        >
          <Icon name="signOut" size={18} /> Sign out
        </button>
      }
    >
      {signOut.error ? <ApiError explanation={explain(signOut.error)} /> : null}
      <p className="text-ink-soft">
        Keys, sessions and passwords belong to an account. To create an account, sign out and sign up.
      </p>
    </Page>
  );
}

const { sessionDays, maxSessionDays, events, eventDays } = accountLimits;

function Account({ session }: { readonly session: { readonly email: string; readonly createdAt: string } }) {
  const signOutHandlers = { onSuccess: () => endSession(), onError: leaveIfSignedOut };
  const signOut = useMutation({ mutationFn: account.signOut, ...signOutHandlers });
  const signOutEverywhere = useMutation({ mutationFn: account.signOutEverywhere, ...signOutHandlers });
  const [deleting, setDeleting] = useState(false);
  const failed = signOut.error ?? signOutEverywhere.error;
  return (
    <Page
      name="Account"
      title="Account"
      lead={
        <span className="[overflow-wrap:anywhere]">
          {session.email} · joined {day(session.createdAt)}
        </span>
      }
      actions={
        <button
          type="button"
          className="button"
          onClick={() => signOut.mutate()}
          disabled={signOut.isPending}
        >
          <Icon name="signOut" size={18} /> Sign out
        </button>
      }
    >
      {failed !== null && (
        <div className="mb-4">
          <ApiError explanation={explain(failed)} />
        </div>
      )}
      <div className="panel divide-y divide-line">
        <Row title="Password" about="Changing your password signs you out of all other sessions.">
          <ChangePassword />
        </Row>
        <Row
          title="Sessions"
          about={`Where you are signed in. A session ends after ${sessionDays} days without activity, and after ${maxSessionDays} days at most.`}
        >
          <SessionList />
          <button
            type="button"
            className="button mt-4"
            onClick={() => signOutEverywhere.mutate()}
            disabled={signOutEverywhere.isPending}
          >
            Sign out everywhere
          </button>
        </Row>
        <Row
          title="Activity"
          about={`Security events, with their IP addresses: the latest ${events.toLocaleString('en')} from the last ${eventDays} days.`}
        >
          <Activity />
        </Row>
        <div className="lg:hidden">
          <Row title="Theme" about="Applies to this browser.">
            <div className="flex items-center gap-2">
              <ThemeSwitch />
              <DensitySwitch />
            </div>
          </Row>
        </div>
        <Row
          title="Delete account"
          about="Deletes your store with all pets, orders, history and keys. This can't be undone."
        >
          <button
            type="button"
            className="button button-quiet-danger !border-danger"
            onClick={() => setDeleting(true)}
          >
            Delete account
          </button>
        </Row>
      </div>
      {deleting && <DeleteAccount email={session.email} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function Row({
  title,
  about,
  children,
}: {
  readonly title: string;
  readonly about: string;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="grid gap-4 p-5 sm:p-6 md:grid-cols-[1fr_1.4fr] md:gap-8">
      <div>
        <h2 className="text-lg">{title}</h2>
        <p className="mt-1 text-ink-soft text-sm">{about}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}

/** Treats "already signed out" as a successful sign-out. */
function leaveIfSignedOut(error: unknown): void {
  if (isApiError(error) && error.code === 'not_signed_in') endSession();
}

function ChangePassword() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [isSamePassword, setSamePassword] = useState(false);
  const change = useMutation({
    mutationFn: () => account.changePassword(current, next),
    onSuccess: () => {
      forgetKey();
      setCurrent('');
      setNext('');
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      toast('Your password was changed');
    },
  });
  const isWrongPassword = isWrongCredentials(change.error);
  return (
    <form
      className="grid max-w-sm gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        // An unchanged password must not sign out other sessions.
        setSamePassword(next === current);
        if (next === current) change.reset();
        else change.mutate();
      }}
    >
      <CurrentPassword
        label="Current password"
        reserveErrorLine={false}
        value={current}
        onChange={setCurrent}
        error={isWrongPassword ? change.error : undefined}
      />
      <Field
        label="New password"
        type="password"
        revealable
        autoComplete="new-password"
        required
        {...newPassword}
        value={next}
        onChange={(event) => {
          setNext(event.target.value);
          setSamePassword(false);
        }}
        error={
          isSamePassword
            ? 'This is already your password. Choose a different one.'
            : change.error && !isWrongPassword
              ? explainAction(change.error).text
              : undefined
        }
      />
      <div>
        <button type="submit" className="button" disabled={change.isPending}>
          Change password
        </button>
      </div>
    </form>
  );
}

function DeleteAccount({ email, onClose }: { readonly email: string; readonly onClose: () => void }) {
  const [password, setPassword] = useState('');
  const remove = useMutation({
    mutationFn: () => account.remove(password),
    onSuccess: () => {
      forgetVisit(email);
      endSession('/sign-up');
    },
  });
  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <DialogForm
        submitLabel="Delete account"
        danger
        onSubmit={remove.mutate}
        pending={remove.isPending}
        cancelLabel="Keep account"
        onCancel={onClose}
      >
        <p className="text-ink-soft">
          This permanently deletes <strong className="text-ink">{email}</strong>, its store and everything in
          it. All of its keys stop working immediately.
        </p>
        <CurrentPassword
          label="Confirm your password"
          autofocus
          value={password}
          onChange={setPassword}
          error={remove.error}
        />
      </DialogForm>
    </Dialog>
  );
}
