import { builds, contacts, type FixedEffect, type Model, type Subcommand } from "./model.ts";

/** Reads history through the repository's own settings, which may name programs. */
const reads: FixedEffect = { kind: "git", concern: "" };
const changes: FixedEffect = { kind: "write", concern: "it changes the repository" };
const loses: FixedEffect = { kind: "delete", concern: "it may lose work that is not committed" };
const settings: FixedEffect = { kind: "write", concern: "it changes settings of git, which may name programs" };

const LOG_FLAGS =
  "-prusqzwbRcmtMCDBa --oneline --graph --all --decorate --no-decorate --stat --shortstat --numstat --summary --name-only --name-status --no-color --color --patch --no-patch --raw --merges --no-merges --first-parent --reverse --follow --abbrev-commit --no-abbrev-commit --full-history --cached --staged --word-diff --no-renames --find-renames --find-copies --no-ext-diff --no-textconv --minimal --patience --histogram --check --quiet --exit-code --ignore-all-space --ignore-space-change --ignore-blank-lines --relative --no-prefix --date-order --topo-order --branches --tags --remotes --format --pretty --date --abbrev --unified --color-words --source --left-right --cherry-pick --cherry-mark --boundary --simplify-by-decoration --dirstat --compact-summary --patch-with-stat --ignore-submodules --submodule --combined-all-paths --walk-reflogs --no-walk --not --diff-filter --function-context -W --merge-base --no-notes --notes --full-index --binary --text --no-indent-heuristic --indent-heuristic --no-relative --stat-width --no-mailmap --mailmap --log-size --ancestry-path --ita-invisible-in-index";
const LOG: Subcommand = {
  flags: LOG_FLAGS,
  values: {
    text: "-nGSUl --max-count --skip --since --until --after --before --author --committer --grep --diff-algorithm --inter-hunk-context",
    revision: "-L",
    ask: "--output -O --ext-diff --textconv",
  },
  numbers: true,
  operands: ["revision"],
  effects: [reads],
};
const remote: Subcommand = { literal: true, operands: ["text"], effects: [contacts] };
const change: Subcommand = { literal: true, operands: ["text"], effects: [changes] };

export const git: readonly Model[] = [
  {
    names: "git",
    flags:
      "-P --no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --version --html-path --man-path --info-path",
    values: {
      text: "--namespace",
      ask: "-C -c --bare --git-dir --work-tree --exec-path --config-env --super-prefix --attr-source",
    },
    subcommands: {
      status: {
        flags:
          "-sbuvz --short --branch --porcelain --long --untracked-files --ignored --show-stash --column --no-column --ahead-behind --no-ahead-behind --renames --no-renames --ignore-submodules --verbose --null",
        operands: ["list"],
        effects: [reads],
      },
      log: LOG,
      show: LOG,
      diff: LOG,
      whatchanged: LOG,
      shortlog: {
        flags: "-ensc --summary --numbered --email --group --all --no-merges",
        values: { text: "--since --until --author --format" },
        operands: ["revision"],
        effects: [reads],
      },
      reflog: { ...LOG, subcommands: { show: LOG, exists: LOG, expire: change, delete: change } },
      "rev-list": { ...LOG, flags: `${LOG_FLAGS} --count --objects --disk-usage` },
      "diff-tree": { ...LOG, flags: `${LOG_FLAGS} --no-commit-id --root` },
      "diff-index": LOG,
      "diff-files": LOG,
      blame: {
        flags:
          "-bcfelnpstwMC --root --show-name --show-number --show-email --line-porcelain --porcelain --incremental --date --abbrev --color-lines",
        values: { text: "-L -S --since --ignore-rev", read: "--ignore-revs-file" },
        operands: ["revision"],
        effects: [reads],
      },
      annotate: { flags: "-belnpstw", values: { text: "-L" }, operands: ["revision"], effects: [reads] },
      grep: {
        flags:
          "-abcEFGhHiIlLnoPpqvwWz --cached --untracked --recurse-submodules --count --line-number --column --files-with-matches --name-only --only-matching --ignore-case --word-regexp --fixed-strings --extended-regexp --perl-regexp --color --no-color --heading --break --all-match --show-function --quiet --and --or --not",
        values: { text: "-eABCm --max-depth --threads --max-count", read: "-f", ask: "-O --open-files-in-pager" },
        operands: ["text", "revision"],
        replaceFirst: "-e -f",
        effects: [reads],
      },
      "ls-files": {
        flags:
          "-cdmoiskuztvf --cached --deleted --modified --others --ignored --stage --killed --unmerged --exclude-standard --full-name --error-unmatch --deduplicate --eol --directory --no-empty-directory --abbrev",
        values: { text: "-x --exclude --format", read: "-X --exclude-from" },
        operands: ["list"],
        effects: [reads],
      },
      "ls-tree": {
        flags: "-drtlz --long --name-only --name-status --full-name --full-tree --object-only --abbrev",
        values: { text: "--format" },
        operands: ["revision"],
        effects: [reads],
      },
      "cat-file": { flags: "-tsep --batch-check", operands: ["revision"], effects: [reads] },
      "rev-parse": {
        flags:
          "-q --abbrev-ref --short --verify --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --symbolic-full-name --symbolic --quiet --branches --tags --remotes --all --show-superproject-working-tree --git-path --sq --disambiguate --local-env-vars",
        operands: ["text"],
        effects: [reads],
      },
      describe: {
        flags: "--all --tags --contains --long --always --dirty --broken --first-parent --exact-match --abbrev --debug",
        values: { text: "--match --exclude --candidates" },
        operands: ["text"],
        effects: [reads],
      },
      "name-rev": { flags: "--tags --all --name-only --always", operands: ["text"], effects: [reads] },
      "merge-base": {
        flags: "-a --all --octopus --is-ancestor --independent --fork-point",
        operands: ["text"],
        effects: [reads],
      },
      "for-each-ref": {
        flags: "--merged --no-merged --contains --no-contains --ignore-case --omit-empty",
        values: { text: "--count --sort --format --points-at --exclude" },
        operands: ["text"],
        effects: [reads],
      },
      "show-ref": {
        flags: "-dhsq --head --heads --branches --tags --dereference --hash --verify --abbrev --quiet",
        operands: ["text"],
        effects: [reads],
      },
      "count-objects": { flags: "-vH --verbose --human-readable", effects: [reads] },
      "check-ignore": {
        flags: "-qvnz --quiet --verbose --non-matching --no-index",
        operands: ["list"],
        effects: [reads],
      },
      "check-attr": { flags: "-a --all --cached", operands: ["text"], effects: [reads] },
      "symbolic-ref": { flags: "-q --quiet --short --recurse", operands: ["text", "ask"], effects: [reads] },
      "hash-object": { flags: "--no-filters", operands: ["read"], effects: [reads] },
      cherry: { flags: "-v", operands: ["text"], effects: [reads] },
      "range-diff": { flags: "--no-color --stat", operands: ["text"], effects: [reads] },
      version: { flags: "--build-options" },
      help: { operands: ["text"], effects: [{ kind: "execute", concern: "it starts a pager" }] },
      branch: { reader: "branch", effects: [reads] },
      tag: { reader: "branch", effects: [reads] },
      remote: {
        flags: "-v --verbose",
        effects: [reads],
        subcommands: {
          show: { flags: "-n", operands: ["text"], effects: [contacts] },
          "get-url": { flags: "--push --all", operands: ["text"], effects: [reads] },
        },
        operands: ["ask"],
      },
      stash: { effects: [changes], literal: true, operands: ["text"], subcommands: { list: LOG, show: LOG } },
      worktree: {
        effects: [changes],
        literal: true,
        operands: ["text"],
        subcommands: { list: { flags: "-vz --porcelain --verbose", effects: [reads] } },
      },
      submodule: { effects: [builds], literal: true, operands: ["text"] },
      config: { reader: "config" },
      add: change,
      commit: {
        literal: true,
        operands: ["text"],
        effects: [changes, { kind: "execute", concern: "it runs the hooks of the repository" }],
      },
      checkout: { literal: true, operands: ["text"], effects: [changes, loses] },
      switch: change,
      restore: { literal: true, operands: ["text"], effects: [changes, loses] },
      reset: { literal: true, operands: ["text"], effects: [changes, loses] },
      clean: { literal: true, operands: ["text"], effects: [changes, loses] },
      merge: change,
      rebase: { literal: true, operands: ["text"], effects: [changes, builds] },
      "cherry-pick": change,
      revert: change,
      rm: {
        flags: "-frnq --cached --force --dry-run --quiet --ignore-unmatch",
        deep: true,
        operands: ["delete"],
        effects: [changes],
      },
      mv: { flags: "-fknv --force --dry-run --verbose", operands: ["move"], last: "write", effects: [changes] },
      init: { literal: true, operands: ["text"], effects: [settings] },
      apply: { literal: true, operands: ["text"], effects: [changes] },
      am: change,
      notes: change,
      bisect: { literal: true, operands: ["text"], effects: [changes, builds] },
      gc: change,
      fetch: remote,
      pull: { literal: true, operands: ["text"], effects: [contacts, changes] },
      push: remote,
      clone: { literal: true, operands: ["text"], effects: [contacts, changes] },
      "ls-remote": remote,
    },
  },
  {
    names: "gh glab",
    literal: true,
    operands: ["text"],
    flags: "--version --help",
    effects: [contacts],
  },
];
