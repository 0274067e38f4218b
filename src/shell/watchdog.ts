import { type ChildProcess, spawn } from "node:child_process";
import { limitPattern } from "../system/limit-mark.ts";

/**
 * Ends our processes when we cannot: a tiny shell that reads the groups we start from a pipe only we hold open. When
 * the pipe closes, by whatever death of ours, it kills the groups and everything that carries our mark.
 */
export interface Watchdog {
  watch(group: number): void;
  forget(group: number): void;
  /** Is removed when we die; the result takes that back. */
  guardFolder(path: string): () => void;
  /** All is in order: it leaves without touching anything. */
  dismiss(): void;
}

/**
 * @param mark the beginning of a `NAME=value` in the environment of everything we start; holds no blanks or quotes
 * @param limit how the limits begin that everything we start inherits, where it does
 */
export function startWatchdog(mark: string, path: string | undefined, limit?: string): Watchdog {
  const pattern = limit === undefined ? [] : [limitPattern(limit)];
  const dog = spawn("/bin/sh", ["-c", SCRIPT, "aura-watchdog", mark, ...pattern], {
    // Its own session: what ends us from the terminal must not end it. Its own environment: without the mark.
    detached: true,
    cwd: "/",
    env: path === undefined ? {} : { PATH: path },
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a watchdog commands still run; only a SIGKILL could then leave something behind.
  dog.on("error", () => {});
  dog.stdin?.on("error", () => {});
  letGo(dog);
  // Good news can wait for the next message, which halves how often it wakes; but not for long, as the system may give
  // the number of a dead group to somebody else.
  let unsaid = "";
  let timer: NodeJS.Timeout | undefined;
  const say = (line: string) => {
    clearTimeout(timer);
    timer = undefined;
    dog.stdin?.write(`${unsaid}${line}`);
    unsaid = "";
  };
  return {
    watch: (group) => say(`+${group}\n`),
    forget(group) {
      unsaid += `-${group}\n`;
      timer ??= setTimeout(() => say(""), FORGET_MS).unref();
    },
    guardFolder(path) {
      // Its words are separated by blanks; the next start finds a folder with one in its name.
      if (/\s|'/.test(path)) return () => {};
      say(`f${path}\n`);
      return () => say(`g${path}\n`);
    },
    dismiss() {
      say("q\n");
      dog.stdin?.end();
    },
  };
}

const FORGET_MS = 500;

/** It must not keep our event loop alive. */
function letGo(dog: ChildProcess): void {
  dog.unref();
  (dog.stdin as unknown as { unref?(): void } | null)?.unref?.();
}

/**
 * Plain POSIX sh. Several rounds, because a process caught between fork and exec does not show the mark yet. On
 * systems without /proc the groups are all there is.
 */
const SCRIPT = `
trap '' HUP INT TERM QUIT
groups=' '
folders=' '
while read -r line; do
  case $line in
    +*) groups="$groups\${line#+} " ;;
    -*) one=" \${line#-} "
        case $groups in *"$one"*) groups="\${groups%%"$one"*} \${groups#*"$one"}" ;; esac ;;
    f*) folders="$folders\${line#f} " ;;
    g*) one=" \${line#g} "
        case $folders in *"$one"*) folders="\${folders%%"$one"*} \${folders#*"$one"}" ;; esac ;;
    q) exit 0 ;;
  esac
done
for round in 1 2 3 4 5; do
  for group in $groups; do kill -s KILL -- "-$group"; done
  if [ -d /proc/self ]; then
    for file in $(grep -alF -e "$1" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      kill -s KILL "\${pid%/environ}"
    done
    [ -z "$2" ] || for file in $(grep -lE -e "$2" /proc/[0-9]*/limits); do
      pid=\${file#/proc/}
      kill -s KILL "\${pid%/limits}"
    done
  fi
  for folder in $folders; do chmod 700 "$folder/scratch/work/work"; rm -rf -- "$folder"; done
  sleep 0.1 || sleep 1
done
`;
