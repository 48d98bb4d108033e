/** Names of what only this process is to know. */
const SECRET =
  /^HOLDPOINT_(SECRET_|API_KEY)|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL/i;

/** What programs that need no secrets are started with: every process of this user can read a process's environment. */
export const withoutSecrets = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET.test(name)));
