import type { Model } from "./model.ts";

/** Looking at files and folders, and changing them: GNU coreutils and what stands beside them. */
export const files: readonly Model[] = [
  {
    names: "ls dir vdir",
    flags:
      "-aAbBcCdfFgGhilkmnNopqQrRsStuUvxXZ1 --all --almost-all --author --escape --color --directory --classify --file-type --full-time --group-directories-first --no-group --human-readable --si --inode --kibibytes --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --context --zero --format --sort --time --time-style --indicator-style --quoting-style --block-size --help --version",
    values: { text: "-I -w -T --ignore --hide --width --tabsize" },
    operands: ["list"],
    otherwise: ".",
  },
  {
    names: "tree",
    flags:
      "-adfiqNQpugshDFrtcvUxAnCSXJ --dirsfirst --filesfirst --noreport --inodes --device --du --si --gitignore --prune --matchdirs --ignore-case --sort --charset --help --version",
    values: { text: "-L -P -I -H -T --filelimit --timefmt" },
    operands: ["list"],
    otherwise: ".",
  },
  {
    names: "cat",
    flags:
      "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --help --version",
    operands: ["read"],
  },
  { names: "tac", flags: "-br --before --regex", values: { text: "-s --separator" }, operands: ["read"] },
  {
    names: "head tail",
    flags: "-qvz --quiet --silent --verbose --zero-terminated --help --version",
    values: { text: "-nc --lines --bytes" },
    numbers: true,
    operands: ["read"],
  },
  {
    names: "wc",
    flags: "-clmLw --bytes --chars --lines --max-line-length --words --total --help --version",
    operands: ["read"],
  },
  {
    names: "stat",
    flags: "-fLt --dereference --file-system --terse --cached --help --version",
    values: { text: "-c --format --printf" },
    operands: ["list"],
  },
  {
    names: "file",
    flags:
      "-bEhiklLNnprsvz0 --brief --mime --mime-type --mime-encoding --no-pad --dereference --no-dereference --keep-going --raw --help --version",
    values: { text: "-FeP --separator --exclude", read: "-m --magic-file" },
    operands: ["read"],
  },
  {
    names: "du",
    flags:
      "-0abchHklmPsSx --null --all --apparent-size --bytes --total --human-readable --si --summarize --separate-dirs --one-file-system --time --time-style --block-size --inodes --help --version",
    values: { text: "-dBt --max-depth --threshold --exclude" },
    operands: ["list"],
    otherwise: ".",
  },
  {
    names: "df",
    flags: "-ahHiklPT --all --human-readable --si --inodes --local --portability --print-type --total --help --version",
    values: { text: "-Btx --block-size --type --exclude-type" },
    operands: ["list"],
  },
  { names: "basename", flags: "-az --multiple --zero", values: { text: "-s --suffix" }, operands: ["text"] },
  { names: "dirname", flags: "-z --zero", operands: ["text"] },
  {
    names: "realpath readlink",
    flags:
      "-efmnqsvzLP --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --no-symlinks --strip --logical --physical --zero",
    values: { text: "--relative-to --relative-base" },
    operands: ["list"],
  },
  { names: "pwd", flags: "-LP" },
  {
    names: "cmp",
    flags: "-bls --print-bytes --verbose --quiet --silent",
    values: { text: "-in --ignore-initial --bytes" },
    operands: ["read"],
  },
  {
    names: "diff",
    flags:
      "-abBcdeinNpqrstuwy --text --ignore-space-change --ignore-blank-lines --brief --report-identical-files --recursive --new-file --unified --context --side-by-side --ignore-case --ignore-all-space --minimal --color --suppress-common-lines --no-dereference --strip-trailing-cr --normal --ed --left-column --expand-tabs --speed-large-files",
    values: { text: "-UCWIxFS --label --exclude --width --ignore-matching-lines --show-function-line" },
    deepFlags: "-r --recursive",
    followsLinks: true,
    numbers: true,
    operands: ["read"],
  },
  {
    names: "comm",
    flags: "-123z --check-order --nocheck-order --total",
    values: { text: "--output-delimiter" },
    operands: ["read"],
  },
  {
    names: "join",
    flags: "-iz --check-order --nocheck-order --header",
    values: { text: "-12aejotv" },
    operands: ["read"],
  },
  { names: "paste", flags: "-sz --serial", values: { text: "-d --delimiters" }, operands: ["read"] },
  {
    names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum",
    flags: "-btz --binary --text --tag --zero --untagged",
    values: { text: "-la --length --algorithm" },
    operands: ["read"],
  },
  {
    names: "shasum",
    flags: "-bt0 --binary --text --tag",
    values: { text: "-a --algorithm" },
    operands: ["read"],
  },
  {
    names: "od",
    flags: "-abcdfhilosvx --traditional",
    values: { text: "-AjNtwS --address-radix --skip-bytes --read-bytes --format" },
    operands: ["read"],
  },
  {
    names: "hexdump",
    flags: "-bcCdovx --canonical",
    values: { text: "-nse --length --skip", code: "-f" },
    operands: ["read"],
  },
  // xxd writes into its second operand.
  { names: "xxd", flags: "-aAbeEipuv", values: { text: "-cglnos" }, operands: ["read", "write"] },
  {
    names: "strings",
    flags: "-afow --all --print-file-name",
    values: { text: "-ntse --bytes --radix" },
    operands: ["read"],
  },
  {
    names: "touch",
    flags: "-acfm --no-create",
    values: { text: "-dt --date --time", read: "-r --reference" },
    operands: ["write"],
  },
  { names: "mkdir", flags: "-pvZ --parents --verbose", values: { text: "-m --mode" }, operands: ["write"] },
  { names: "rmdir", flags: "-pv --parents --verbose --ignore-fail-on-non-empty", operands: ["delete"] },
  {
    names: "rm",
    flags: "-fiIrRdv --force --interactive --recursive --dir --verbose --one-file-system --preserve-root",
    deepFlags: "-r -R --recursive",
    operands: ["delete"],
  },
  {
    names: "unlink shred",
    flags: "-fuvxz --force --remove --verbose --zero --exact",
    values: { text: "-ns --iterations --size" },
    operands: ["delete"],
  },
  {
    names: "cp install",
    flags:
      "-abdDfiHlLnPpRrsTuvxZ --archive --backup --force --interactive --link --dereference --no-dereference --no-clobber --preserve --parents --recursive --reflink --sparse --symbolic-link --no-target-directory --update --verbose --attributes-only --strip-trailing-slashes --remove-destination --one-file-system",
    values: { text: "-Sm --suffix --mode -o -g --owner --group --no-preserve", write: "-t --target-directory" },
    deepFlags: "-r -R -a --recursive --archive",
    operands: ["read"],
    last: "write",
  },
  {
    names: "mv",
    flags:
      "-bfinTuvZ --backup --force --interactive --no-clobber --no-target-directory --update --verbose --strip-trailing-slashes",
    values: { text: "-S --suffix", write: "-t --target-directory" },
    operands: ["move"],
    last: "write",
  },
  {
    names: "ln",
    flags:
      "-bfinLPrsTv --backup --force --interactive --logical --no-dereference --physical --relative --symbolic --no-target-directory --verbose",
    values: { text: "-S --suffix", write: "-t --target-directory" },
    operands: ["read"],
    last: "write",
  },
  {
    names: "chmod chown chgrp",
    flags: "-cfvRhHLP --changes --silent --quiet --verbose --recursive --no-dereference --preserve-root",
    values: { read: "--reference" },
    deepFlags: "-R --recursive",
    operands: ["text", "write"],
  },
  {
    names: "truncate",
    flags: "-co --no-create",
    values: { text: "-s --size", read: "-r --reference" },
    operands: ["write"],
  },
  { names: "tee", flags: "-aip --append --ignore-interrupts", operands: ["write"] },
  {
    names: "find",
    reader: "find",
  },
  {
    names: "split csplit",
    flags: "-dxe --numeric-suffixes --elide-empty-files --verbose",
    values: {
      text: "-ablCn --suffix-length --bytes --lines --line-bytes --number --additional-suffix",
      ask: "--filter",
    },
    operands: ["read", "write"],
    effects: [{ kind: "write", concern: "it writes the pieces as files" }],
  },
  {
    names: "mktemp",
    flags: "-dqut --directory --quiet --dry-run",
    values: { text: "-p --suffix --tmpdir" },
    operands: ["text"],
    effects: [{ kind: "write", concern: "it makes a temporary file" }],
  },
];
