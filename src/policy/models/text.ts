import type { Model, Subcommand } from "./model.ts";

const yqFilter: Subcommand = {
  flags: "-reoPCMN --raw-output --exit-status --prettyPrint --no-colors",
  values: { text: "-pI --indent --input-format --output-format" },
  operands: ["jq", "read"],
};

/** Searching, cutting and sorting text. */
export const text: readonly Model[] = [
  {
    names: "grep egrep fgrep",
    flags:
      "-abcEFGhHiIlLnoPqrsTUvVwxyzZ --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color --colour --files-without-match --files-with-matches --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --line-number --initial-tab --null --null-data --text --recursive --line-buffered --binary --help --version",
    values: {
      text: "-eABCmdD --regexp --max-count --label --after-context --before-context --context --binary-files --exclude --include --exclude-dir --directories --devices",
      read: "-f --file --exclude-from",
    },
    // --directories=recurse
    deepFlags: "-r --recursive -d --directories",
    numbers: true,
    operands: ["text", "read"],
    replaceFirst: "-e --regexp -f --file",
    otherwise: ".",
  },
  {
    names: "rg",
    flags:
      "-abcFhHiIlnNoPpqsSuUvVwx0. --case-sensitive --ignore-case --smart-case --fixed-strings --word-regexp --line-regexp --invert-match --count --count-matches --files --files-with-matches --files-without-match --type-list --heading --no-heading --line-number --no-line-number --with-filename --no-filename --only-matching --column --vimgrep --json --stats --trim --multiline --multiline-dotall --pcre2 --no-config --color --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-messages --null --quiet --text --unrestricted --pretty --passthru --no-unicode --crlf --version --help --debug --block-buffered --line-buffered --no-column --one-file-system",
    values: {
      text: "-eABCgmMtTjEr --regexp --after-context --before-context --context --glob --iglob --max-count --max-columns --max-depth --max-filesize --type --type-not --type-add --threads --encoding --replace --sort --sortr --colors --context-separator --engine --path-separator",
      read: "-f --file --ignore-file",
    },
    // -L follows links out of the folder, -z runs a decompressor: neither is listed.
    deep: true,
    skipsHidden: "-u -. --hidden --unrestricted --no-ignore --no-ignore-vcs --type-add",
    globs: "-g -t --glob --iglob --type",
    operands: ["text", "read"],
    replaceFirst: "-e --regexp -f --file --files --type-list",
    otherwise: ".",
  },
  {
    names: "fd fdfind",
    flags:
      "-HIugFp0alqsi1 --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details --full-path --print0 --color --quiet --show-errors --version --help --one-file-system --strip-cwd-prefix",
    values: {
      text: "-dteEScj --max-depth --min-depth --exact-depth --type --extension --exclude --size --changed-within --changed-before --max-results --threads --path-separator",
      list: "--search-path --base-directory",
    },
    operands: ["text", "list"],
    otherwise: ".",
  },
  {
    names: "ag",
    flags:
      "-aciIlLnQsSvwHo --nocolor --nogroup --noheading --hidden --literal --column --count --files-with-matches --ignore-case --line-numbers",
    values: { text: "-ABCgGm --ignore --ignore-dir --depth --file-search-regex" },
    deep: true,
    operands: ["text", "read"],
    otherwise: ".",
  },
  {
    names: "sort",
    flags:
      "-bdfgiMhnRrVcCmsuz --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --numeric-sort --human-numeric-sort --month-sort --random-sort --reverse --version-sort --sort --check --merge --stable --unique --zero-terminated --debug --help --version",
    values: {
      text: "-kStT --key --field-separator --buffer-size --batch-size --parallel",
      write: "-o --output",
      ask: "--compress-program --files0-from",
      read: "--random-source",
    },
    operands: ["read"],
  },
  {
    names: "uniq",
    flags: "-cdDiuz --count --repeated --all-repeated --ignore-case --unique --zero-terminated --group",
    values: { text: "-fsw --skip-fields --skip-chars --check-chars" },
    operands: ["read", "write"],
  },
  {
    names: "cut",
    flags: "-nsz --only-delimited --complement --zero-terminated",
    values: { text: "-bcdf --bytes --characters --delimiter --fields --output-delimiter" },
    operands: ["read"],
  },
  { names: "tr", flags: "-cCdst --complement --delete --squeeze-repeats --truncate-set1", operands: ["text"] },
  { names: "rev", operands: ["read"] },
  { names: "fold", flags: "-bs --bytes --spaces", values: { text: "-w --width" }, operands: ["read"] },
  { names: "fmt", flags: "-cstu", values: { text: "-w --width" }, operands: ["read"] },
  { names: "nl", flags: "-p", values: { text: "-bdfhilnsvw" }, operands: ["read"] },
  { names: "expand unexpand", flags: "-ai --initial --all", values: { text: "-t --tabs" }, operands: ["read"] },
  {
    names: "column",
    flags: "-tnexJ --table --json",
    values: { text: "-scNo --separator --output-separator" },
    operands: ["read"],
  },
  {
    names: "seq",
    flags: "-w --equal-width",
    values: { text: "-fs --format --separator" },
    numbers: true,
    operands: ["text"],
  },
  { names: "expr", literal: true, operands: ["text"] },
  { names: "bc", flags: "-lqsw --mathlib --quiet --standard --warn", operands: ["read"] },
  {
    names: "factor numfmt",
    flags: "--to --from --suffix --padding --grouping",
    values: { text: "-d --field --format" },
    operands: ["text"],
  },
  { names: "base64 base32", flags: "-di --decode --ignore-garbage", values: { text: "-w --wrap" }, operands: ["read"] },
  {
    names: "sed gsed",
    flags:
      "-nErsuz --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --debug --sandbox --help --version",
    values: { sed: "-e --expression", code: "-f --file", text: "-l --line-length" },
    operands: ["sed", "read"],
    replaceFirst: "-e --expression -f --file",
  },
  {
    names: "awk gawk mawk nawk",
    flags: "--posix --re-interval --traditional --version",
    values: { text: "-Fv --field-separator --assign", code: "-fEil --file --source --include --load" },
    operands: ["awk", "read"],
    replaceFirst: "-f --file",
  },
  {
    names: "jq",
    flags:
      "-acCeMnRrsSj --compact-output --color-output --monochrome-output --exit-status --null-input --raw-input --raw-output --slurp --sort-keys --join-output --tab --stream --seq --ascii-output --help --version",
    values: { text: "--indent", code: "-f --from-file -L" },
    operands: ["jq", "read"],
  },
  {
    names: "yq",
    flags: "-reoPCMN --raw-output --exit-status --prettyPrint --no-colors --version",
    values: { text: "-pI --indent --input-format --output-format" },
    operands: ["jq", "read"],
    // What follows these is a filter too.
    subcommands: { e: yqFilter, ea: yqFilter, eval: yqFilter, "eval-all": yqFilter },
  },
  {
    names: "xmllint",
    flags: "--noout --format --nonet",
    values: { text: "--xpath --encode" },
    operands: ["document"],
  },
  {
    names: "less more",
    flags: "-SRFXNniIEe",
    effects: [{ kind: "unknown", concern: "it waits for keys" }],
    operands: ["read"],
  },
];
