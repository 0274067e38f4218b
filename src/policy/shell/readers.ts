import type { ReaderName } from "../models/model.ts";
import { applyModel, type Found } from "./apply-model.ts";
import { hasPlainNames } from "./effects.ts";
import { spell, textValue, type Value } from "./values.ts";

type Reader = (words: readonly Value[], found: Found) => void;

/** Commands whose arguments have a grammar of their own. */
export const READERS: Readonly<Record<ReaderName, Reader>> = {
  find: readFind,
  xargs: readXargs,
  env: readEnv,
  cd: readCd,
  command: readWithoutFunctions,
  printf: readPrintf,
  declare: readDeclare,
  test: readTest,
  tar: readTar,
  set: readSet,
  read: readRead,
  config: readGitConfig,
  branch: readGitBranch,
};

const FIND_TESTS =
  /^-(?:name|iname|path|ipath|wholename|iwholename|regex|iregex|type|xtype|size|mtime|atime|ctime|mmin|amin|cmin|maxdepth|mindepth|perm|user|group|uid|gid|links|inum|fstype|regextype|printf|used)$/;
const FIND_FILES = /^-(?:newer|anewer|cnewer|samefile|newer[aBcm][aBcmt])$/;
const FIND_WORDS =
  /^(?:-(?:print|print0|ls|prune|quit|depth|mount|xdev|empty|readable|writable|executable|true|false|not|and|a|or|o|daystart|noleaf|ignore_readdir_race|nouser|nogroup|warn|nowarn|d)|[!(),])$/;
const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/;

/** find(1): folders, then an expression. */
function readFind(words: readonly Value[], found: Found): void {
  let at = 0;
  while (words[at]?.kind === "text" && /^-(?:[HP]|O\d)$/.test(textOf(words[at]!))) at++;
  const folders: Value[] = [];
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word.kind === "text" && /^(?:-|[!(),]$)/.test(word.text)) break;
    if (word.kind === "any" && (word.many || word.prefix === "" || word.prefix.startsWith("-")))
      return found.ask(`${spell(word)} may be an option`);
    folders.push(word);
  }
  if (folders.length === 0) folders.push(textValue("."));
  for (const folder of folders) found.file("list", folder, true);
  const below: Value = { kind: "under", folders: folders.map(textOf) };
  // A link may lead anywhere; only a regular file surely lies below.
  const isOneCondition =
    folders.every((folder) => folder.kind === "text" && !folder.text.startsWith("-")) &&
    !words.some((word) => /^(?:-o|-or|!|-not|,)$/.test(textOf(word)));
  // Only what stands after the test is done to regular files alone.
  let areFiles = false;
  let printsOthers = false;
  for (; at < words.length; at++) {
    const word = textOf(words[at]!);
    if (words[at]!.kind === "any" || words[at]!.kind === "under")
      return found.ask(`${spell(words[at]!)} may be an action`);
    if (FIND_WORDS.test(word)) {
      printsOthers ||= word === "-ls" || (/^-print0?$/.test(word) && !areFiles);
      continue;
    }
    printsOthers ||= /^-(?:printf|exec|execdir|ok|okdir|delete|fprint.*|fls)$/.test(word);
    if (FIND_TESTS.test(word)) {
      areFiles ||= isOneCondition && word === "-type" && textOf(words[at + 1]) === "f";
      if (words[++at]?.kind === "any" && (words[at] as { many?: boolean }).many)
        return found.ask(`the value of ${word} is not known`);
    } else if (FIND_FILES.test(word)) {
      if (words[at + 1]) found.file("list", words[++at]!);
    } else if (FIND_RUNS.test(word)) {
      const end = words.findIndex(
        (each, index) =>
          index > at && (textOf(each) === ";" || (textOf(each) === "+" && textOf(words[index - 1]) === "{}")),
      );
      if (end < 0) return found.ask(`${word} has no end`);
      const inner = words.slice(at + 1, end).map((each): Value => {
        if (!textOf(each).includes("{}")) return each;
        return textOf(each) === "{}" && areFiles ? below : { kind: "any", prefix: "", many: false };
      });
      // The folder of each file in turn.
      found.command(inner, word.endsWith("dir") ? [undefined] : undefined);
      at = end;
    } else if (word === "-delete") {
      for (const folder of folders) found.file("delete", folder, true);
    } else if (/^-(?:fprint|fprint0|fls|fprintf)$/.test(word)) {
      if (words[at + 1]) found.file("write", words[++at]!);
      if (word === "-fprintf") at++;
    } else return found.ask(`what ${spell(words[at]!)} does is not known`);
  }
  if (areFiles && !printsOthers) found.lists = folders.map(textOf);
}

/** xargs(1): the command gets more words from the input. */
function readXargs(words: readonly Value[], found: Found): void {
  let isExact = false;
  let replaced: string | undefined;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word.kind !== "text") return found.ask(`${spell(word)} may be an option`);
    const { text } = word;
    if (!text.startsWith("-")) break;
    if (text === "-0" || text === "--null") isExact = true;
    else if (text === "-I") replaced = textOf(words[++at]);
    else if (text === "--replace") replaced = "{}";
    else if (text.startsWith("--replace=")) replaced = text.slice("--replace=".length);
    else if (/^-I./.test(text)) replaced = text.slice(2);
    else if (/^-(?:r|t|x|0r|r0|rt|tr)$|^--(?:no-run-if-empty|verbose)$/.test(text)) isExact ||= text.includes("0");
    else if (/^-[nLPs]$/.test(text)) at++;
    else if (!/^-[nLPs]\d+$|^--(?:max-args|max-lines|max-procs|max-chars)=\d+$/.test(text))
      return found.ask(`what ${text} does is not known`);
  }
  const rest = words.slice(at);
  const { input, folders, around } = found.run;
  const isKnown =
    input !== undefined &&
    (isExact ||
      input.every((folder) =>
        folders.every(
          (each) =>
            each !== undefined &&
            hasPlainNames(around.realPath(folder.startsWith("/") ? folder : `${each}/${folder}`), around),
        ),
      ));
  const given: Value = isKnown
    ? { kind: "under", folders: input }
    : { kind: "any", prefix: "", many: replaced === undefined };
  if (rest.length === 0) return;
  if (replaced === undefined) return found.command([...rest, given]);
  const mark = replaced;
  found.command(
    rest.map((each): Value => {
      if (mark === "" || !textOf(each).includes(mark)) return each;
      return textOf(each) === mark
        ? given
        : { kind: "any", prefix: textOf(each).slice(0, textOf(each).indexOf(mark)), many: false };
    }),
  );
}

/** env(1): settings, then a command. */
function readEnv(words: readonly Value[], found: Found): void {
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word.kind !== "text") return found.ask(`${spell(word)} may be an option`);
    if (/^[A-Za-z_]\w*=/.test(word.text)) {
      const name = word.text.slice(0, word.text.indexOf("="));
      if (!isPlainVariable(name)) found.ask(`it sets ${name} for the command`, "state");
    } else if (word.text === "-u" || word.text === "--unset") at++;
    else if (
      word.text === "-i" ||
      word.text === "-" ||
      word.text === "--ignore-environment" ||
      /^--unset=/.test(word.text)
    )
      continue;
    else if (word.text === "-S" || word.text.startsWith("--split-string") || word.text === "-C")
      return found.ask(`what ${word.text} does is not known`);
    else if (word.text.startsWith("-")) return found.ask(`what ${word.text} does is not known`);
    else break;
  }
  if (at < words.length) found.command(words.slice(at));
  else found.ask("it shows the environment, which may hold secrets");
}

/** Variables that change how programs write and nothing else. Others may name programs, libraries or files to load. */
export const isPlainVariable = (name: string): boolean =>
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|TERM|NODE_ENV|RUST_BACKTRACE|RUST_LOG|GIT_OPTIONAL_LOCKS|GIT_TERMINAL_PROMPT|POSIXLY_CORRECT|VERBOSE|DEBUG)$/.test(
    name,
  );

/** The folder itself is followed by the walk; here only that it may be gone to. */
function readCd(words: readonly Value[], found: Found): void {
  const operands = words.filter((word) => !/^-[LPe]$|^--$/.test(textOf(word)));
  const [folder] = operands;
  if (operands.length > 1 || (folder && (folder.kind !== "text" || folder.text.startsWith("-"))))
    found.ask("which folder it goes to is not known", "state");
  else if (folder) found.file("list", folder);
}

/** command: with -v it only tells where a command is. */
function readWithoutFunctions(words: readonly Value[], found: Found): void {
  const [first, ...rest] = words;
  if (/^-p?[vV]p?$/.test(textOf(first))) return;
  if (textOf(first) === "-p" || textOf(first) === "--") return found.command(rest);
  if (first?.kind !== "text" || first.text.startsWith("-")) return found.ask("what it runs is not known");
  found.command(words);
}

function readPrintf(words: readonly Value[], found: Found): void {
  const [first] = words;
  if (!first) return;
  if (first.kind === "any" && (first.prefix === "" || first.prefix.startsWith("-")))
    return found.ask("it may set a variable", "state");
  const text = textOf(first);
  const [format, ...given] = text === "--" ? words.slice(1) : words;
  if (text.startsWith("-") && text !== "--") return found.ask(`${text} may set a variable`, "state");
  // %n sets the variable it is given the name of.
  const counts = format?.kind !== "text" || /%[-+ #0'\d.*hlLjzt]*n/.test(format.text.replaceAll("%%", ""));
  if (given.length > 0 && counts) found.ask("its format may set a variable", "state");
}

/** export, declare, local, readonly and typeset. */
function readDeclare(words: readonly Value[], found: Found): void {
  if (words.length === 0) return found.ask("it shows every variable, some of which may be secret");
  // Between round brackets, the value of a list is read once more and runs what it holds. What is set for good stays
  // as it is, whatever later assignments say.
  const isList = words.some((word) => /^-\w*a/.test(textOf(word)));
  const isFinal = found.name === "readonly";
  const isExport = found.name === "export" || words.some((word) => /^-\w*x/.test(textOf(word)));
  for (const word of words) {
    const head = word.kind === "any" ? word.prefix : textOf(word);
    if (/^-[agx]+$/.test(head) && word.kind === "text") continue;
    const name = /^([A-Za-z_]\w*)(?:$|\+?=(?!\())/.exec(head)?.[1];
    if (
      name === undefined ||
      isFinal ||
      (isList && head.includes("=")) ||
      (word.kind === "any" && word.many && (found.isWrapped || !head.includes("=")))
    )
      found.ask(`what it declares is not known: ${spell(word)}`, "state");
    else if (isExport ? !isPlainVariable(name) : isTelling(name))
      found.ask(`it sets ${name}, which programs or the shell go by`, "state");
  }
}

/**
 * Names a shell or the programs it starts go by. What is exported already stays so when it is set, and which names are
 * is not known here: so every name in capitals that a program is known to read.
 */
export const isTelling = (name: string): boolean =>
  /^(?:PATH|IFS|ENV|HOME|PWD|OLDPWD|SHELL|SHELLOPTS|BASH.*|PS\d|PROMPT.*|CDPATH|FIGNORE|GLOBIGNORE|EXECIGNORE|HIST.*|FUNCNEST|TMOUT|TIMEFORMAT|OPT[A-Z]+|RANDOM|SECONDS|REPLY|MAPFILE|COPROC|DIRSTACK|GROUPS|UID|EUID|PPID|LINENO|MAIL.*|POSIXLY.*|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|MALLOC.*|GIT_.*|SSH_.*|GPG.*|LESS.*|MORE|MAN.*|.*PAGER.*|.*EDITOR|VISUAL|BROWSER|TERMINFO.*|TERMCAP|PYTHON.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|NODE_.*|NPM_.*|YARN_.*|COREPACK.*|DENO_.*|BUN_.*|JAVA.*|_?JDK.*|MAVEN.*|GRADLE.*|CLASSPATH|RUST.*|CARGO.*|GO[A-Z0-9]*|CGO_.*|CC|CXX|CPP|LD|AR|AS|CFLAGS|CXXFLAGS|LDFLAGS|MAKE.*|MFLAGS|CMAKE.*|PKG_.*|DOCKER_.*|KUBE.*|AWS_.*|AZURE_.*|GOOGLE_.*|.*PROXY|CURL_.*|SSL_.*|RIPGREP_.*|GREP_.*|AWK.*|GAWK.*|POSIX.*|FZF_.*|BAT_.*|JQ_.*|TAR_.*|GZIP|ZIPOPT|UNZIP|RSYNC_.*|TMPDIR|TEMP|TMP|XDG_.*|DBUS.*|DISPLAY|LUA_.*|PHP.*|TCL.*|R_.*|ZDOTDIR|FPATH|AURA.*|STARTED_BY.*|TERM)$/.test(
    name,
  ) || /^npm_|_proxy$/i.test(name);

/** `[[ ]]` and `[ ]` look at files; `-v` and arithmetic operators evaluate what they are given. */
function readTest(words: readonly Value[], found: Found): void {
  const isOpen = (word: Value | undefined) => word?.kind === "any" && word.prefix === "";
  for (const [at, word] of words.entries()) {
    const text = textOf(word);
    if ((word.kind === "any" && word.many) || (isOpen(word) && isOpen(words[at + 1])))
      return found.ask("what it looks at is not known");
    if (/^-[vRt]$/.test(text)) found.ask("it looks at a variable by a name that may run something");
    if (/^-[abcdefghkprsuwxGLNOS]$/.test(text) && words[at + 1] && words[at + 1]!.kind !== "any")
      found.file("list", words[at + 1]!);
    if (/^-(?:nt|ot|ef)$/.test(text) && words[at + 1] && words[at - 1])
      for (const each of [words[at - 1]!, words[at + 1]!]) found.file("list", each);
  }
}

/** Only listing an archive is modelled. */
function readTar(words: readonly Value[], found: Found): void {
  const [first, second, ...rest] = words;
  const flags = textOf(first);
  if (
    words.every(({ kind }) => kind === "text") &&
    /^-?[tvzjJ]*t[tvzjJ]*f$/.test(flags) &&
    second &&
    rest.every((word) => !textOf(word).startsWith("-"))
  ) {
    // A name with a colon is on another machine.
    if (!textOf(second).includes(":")) return found.file("read", second);
  }
  const target = words.findIndex((word) => textOf(word) === "-C" || textOf(word) === "--directory");
  if (target >= 0 && words[target + 1]) found.file("write", words[target + 1]!, true);
  const archive = words.findIndex((word, at) => at <= 1 && /^-?[A-Za-z]*f$/.test(textOf(word)));
  if (/^-?[A-Za-z]*c/.test(flags) && archive >= 0 && words[archive + 1]) found.file("write", words[archive + 1]!);
  found.ask("it packs or unpacks files", "write");
}

function readSet(words: readonly Value[], found: Found): void {
  const isKnown = words.every(
    (word) =>
      word.kind === "text" && /^(?:[-+][eufCx]+|[-+][eu]*o|pipefail|errexit|nounset|noglob|noclobber)$/.test(word.text),
  );
  if (!isKnown || words.length === 0) found.ask("it changes how the shell reads what follows", "state");
}

function readRead(words: readonly Value[], found: Found): void {
  for (let at = 0; at < words.length; at++) {
    const text = textOf(words[at]!);
    if (/^-[rsa]+$/.test(text)) continue;
    if (/^-r?[pdnNt]$/.test(text)) at++;
    else if (!/^[a-z_]\w*$/.test(text) || isTelling(text))
      found.ask(`what it reads into ${spell(words[at]!)} is not known`, "state");
  }
}

function readGitConfig(words: readonly Value[], found: Found): void {
  const texts = words.map(textOf);
  const options = texts.filter((text) => text.startsWith("-"));
  const names = texts.filter((text) => !text.startsWith("-"));
  const isAsking =
    options.some((option) => /^--get(?:-all)?$/.test(option)) || (names.length === 1 && words.length === 1);
  const isPlain = options.every((option) =>
    /^--(?:get|get-all|local|global|system|null|name-only|show-origin|show-scope|type=\w+|bool|int)$/.test(option),
  );
  if (words.every(({ kind }) => kind === "text") && isAsking && isPlain && names.length === 1) {
    if (/url|extraheader|token|pass|secret|credential|helper|proxy|smtp/i.test(names[0]!))
      found.ask(`it shows the setting ${names[0]}, which may hold secrets`, "read");
    return;
  }
  if (options.some((option) => /^(?:-l|--list|--get-regexp)$/.test(option)))
    return found.ask("it shows every setting, some of which may be secret", "read");
  found.effects.push({ kind: "write", always: true, concern: "it changes settings of git, which may name programs" });
}

/** git branch and git tag: to list is to read. */
function readGitBranch(words: readonly Value[], found: Found): void {
  const list = {
    flags:
      "-arvil --all --remotes --verbose --list --show-current --no-color --color --no-column --column --ignore-case --abbrev --contains --no-contains --merged --no-merged",
    values: { text: "-n --sort --points-at --format" },
  } as const;
  const isList = words.some((word) =>
    /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at|-n\d*)$|^--list=/.test(textOf(word)),
  );
  applyModel(isList ? { ...list, operands: ["text"] } : { ...list, operands: ["ask"] }, words, found);
}

const textOf = (value: Value | undefined): string =>
  value?.kind === "text" ? value.text : value?.kind === "glob" ? value.text : "";
