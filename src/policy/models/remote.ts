import { contacts, installs, type Model, type Subcommand, system } from "./model.ts";

/** Other machines, containers and archives. */
const docker: Subcommand = { literal: true, operands: ["text"], effects: [system] };
const starts: Subcommand = {
  literal: true,
  operands: ["text"],
  effects: [{ kind: "execute", concern: "it runs a program in a container" }],
};

export const remote: readonly Model[] = [
  {
    names: "curl",
    flags:
      "-sSfLkIiNvgGOJ0146#q --silent --show-error --fail --location --insecure --head --include --compressed --verbose --get --http1.1 --http2 --progress-bar",
    values: {
      text: "-HXAuebmwxFdr --header --request --user-agent --user --referer --cookie --max-time --write-out --proxy --form --data --data-raw --data-binary --data-urlencode --json --retry --connect-timeout --url",
      write: "-oDc --output --dump-header --cookie-jar",
      read: "-TE --upload-file --cert --key --cacert",
      ask: "-K --config",
    },
    operands: ["host"],
    effects: [contacts],
  },
  {
    names: "wget aria2c http https",
    values: {
      write: "-OPoa --output-document --output-file --directory-prefix",
      text: "-UTt --header --user-agent --timeout",
      read: "-i --input-file --post-file",
      code: "-e --execute --use-askpass",
    },
    flags: "-qcNnrSv --quiet --spider --continue --no-check-certificate --no-verbose",
    operands: ["host"],
    effects: [contacts],
  },
  {
    names: "ssh slogin mosh",
    flags: "-46AaCfGgKkMNnqsTtVvXxYy",
    values: { text: "-BbcDEeFIiJLlmOpQRSWw", ask: "-o" },
    operands: ["host", "code"],
    effects: [contacts],
  },
  {
    names: "scp sftp",
    flags: "-346ABCpqrTv",
    values: { text: "-cFiJlPX", ask: "-So" },
    operands: ["read"],
    last: "write",
    effects: [contacts],
  },
  {
    names: "rsync",
    flags:
      "-avzruptgolnhPHAXSWxcmiqD --archive --verbose --compress --recursive --dry-run --progress --stats --human-readable --delete --checksum --links --partial --update --times --perms",
    values: {
      text: "--exclude --include --bwlimit --timeout --port",
      code: "-e --rsh --rsync-path",
      read: "--files-from --exclude-from",
    },
    deep: true,
    operands: ["read"],
    last: "write",
    effects: [contacts],
  },
  {
    names: "docker podman nerdctl",
    flags: "-v --version",
    operands: ["ask"],
    subcommands: {
      run: starts,
      exec: starts,
      build: starts,
      compose: starts,
      ps: {
        flags: "-aqls --all --quiet --latest --no-trunc --size",
        values: { text: "-fn --filter --format --last" },
        effects: [{ kind: "unknown", concern: "it talks to the container service" }],
      },
      images: {
        flags: "-aq --all --quiet",
        values: { text: "-f --filter --format" },
        operands: ["text"],
        effects: [{ kind: "unknown", concern: "it talks to the container service" }],
      },
      logs: docker,
      inspect: docker,
      stop: docker,
      start: docker,
      rm: docker,
      rmi: docker,
      pull: docker,
      push: docker,
      cp: docker,
      volume: docker,
      network: docker,
      system: docker,
      version: docker,
      info: docker,
      kill: docker,
      tag: docker,
      login: docker,
    },
  },
  {
    names: "kubectl helm terraform ansible aws gcloud az vagrant heroku fly vercel",
    literal: true,
    operands: ["text"],
    effects: [contacts],
  },
  {
    names: "psql mysql sqlite3 redis-cli mongo mongosh",
    literal: true,
    operands: ["text"],
    effects: [{ kind: "unknown", concern: "it runs commands in a database" }],
  },
  { names: "tar bsdtar", reader: "tar" },
  { names: "zip", literal: true, operands: ["text"], effects: [{ kind: "write", concern: "it writes an archive" }] },
  { names: "unzip", literal: true, operands: ["text"], effects: [{ kind: "write", concern: "it unpacks an archive" }] },
  { names: "zipinfo", flags: "-12smlvhtTz", operands: ["read", "text"] },
  {
    names: "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd",
    flags: "-lvtq --list --test --verbose",
    operands: ["write"],
    values: { text: "-S --suffix" },
  },
  { names: "zcat bzcat xzcat zstdcat", flags: "-fqv", operands: ["read"] },
  { names: "zgrep", flags: "-cilnvE", operands: ["text", "read"], effects: [] },
  {
    names: "openssl gpg age",
    literal: true,
    operands: ["text"],
    effects: [{ kind: "unknown", concern: "it handles keys" }],
  },
  { names: "mail sendmail mutt", literal: true, operands: ["text"], effects: [contacts] },
  {
    names: "vim vi nvim nano emacs ed ex pico",
    literal: true,
    operands: ["text"],
    effects: [{ kind: "execute", concern: "it is an editor, which can run anything" }],
  },
  { names: "open xdg-open code", literal: true, operands: ["text"], effects: [installs] },
];
