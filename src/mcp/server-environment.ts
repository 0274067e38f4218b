/**
 * What a server process gets of our environment: enough to run, and nothing that opens a door. What else it needs is
 * named in its definition.
 */
const INHERITED = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "NODE_EXTRA_CA_CERTS",
  "PATH",
  "SHELL",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR",
  "XDG_STATE_HOME",
];

export function serverEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  defined: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = ours[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, ...defined };
}
