import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.ts';
import { queryClient, SIGNED_OUT } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';

/** Asks for an API key or a token, which the server keeps for this browser in a cookie that no script can read. */
export function SignIn() {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token') ?? '').trim();
    if (token === '') return setFailure('Give a key or a token.');
    setBusy(true);
    try {
      await call('POST', 'api/session', { body: { token } });
      // What somebody else has seen is gone before anything is shown.
      await queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey !== SIGNED_OUT });
      queryClient.setQueryData(SIGNED_OUT, false);
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <h1>
          <KeyRound aria-hidden /> Sign in to Holdpoint
        </h1>
        <label htmlFor="token">API key or bearer token</label>
        <input
          id="token"
          name="token"
          type="password"
          autoComplete="current-password"
          required
          aria-describedby="sign-in-failure"
        />
        <p id="sign-in-failure" className="field-error" role="alert">
          {failure}
        </p>
        <Button look="primary" type="submit" busy={busy}>
          Sign in
        </Button>
        <p className="hint">
          <code>holdpoint key</code> makes a key. It is kept for this browser session, out of the reach of scripts.
        </p>
      </form>
    </main>
  );
}
