import { system as changes, contacts, type Model, secrets, stays, stops } from "./model.ts";

/** Questions to the system, and programs that change it. */
export const system: readonly Model[] = [
  {
    names: "date",
    flags: "-uRI --utc --universal --rfc-email --rfc-3339 --iso-8601",
    values: { text: "-d --date", list: "-r --reference", ask: "-s --set" },
    operands: ["date"],
  },
  {
    names: "uname arch nproc",
    flags: "-asnrvmpio --all --kernel-name --nodename --kernel-release --machine --operating-system --ignore",
  },
  { names: "whoami logname tty groups", flags: "-s", operands: ["text"] },
  { names: "id", flags: "-ugGnrz --user --group --groups --name --real", operands: ["text"] },
  { names: "hostname", flags: "-fsiId --fqdn --short" },
  { names: "uptime free", flags: "-bkmghpstVlw --human --pretty --since --mega --giga" },
  { names: "lscpu lsb_release", flags: "-aidrcsJpe" },
  { names: "cal ncal", flags: "-13myjh", operands: ["text"] },
  {
    names: "ps",
    flags: "-AaeflFHjMrTuxwNLy --forest --no-headers",
    values: { text: "-Cgopqst --sort --pid --ppid --user --format" },
    operands: ["ps"],
  },
  { names: "pgrep pidof", flags: "-aflnovxcLi", values: { text: "-uPgt" }, operands: ["text"] },
  {
    names: "lsof ss netstat",
    flags: "-ianptluPnrsx",
    operands: ["text"],
    effects: [{ kind: "unknown", concern: "it shows what other programs do" }],
  },
  { names: "locale tput getconf", flags: "-akm", operands: ["text"] },
  { names: "clear reset sync", flags: "-x" },
  { names: "man info", operands: ["text"], effects: [{ kind: "unknown", concern: "it starts a pager" }] },
  {
    names: "apt apt-get dpkg yum dnf pacman apk brew snap port zypper",
    literal: true,
    operands: ["text"],
    effects: [changes],
  },
  {
    names:
      "systemctl service launchctl crontab at batch mount umount useradd usermod passwd sysctl modprobe iptables reboot shutdown halt poweroff mkfs fdisk dd",
    literal: true,
    operands: ["text"],
    effects: [changes],
  },
  { names: "screen tmux", literal: true, operands: ["text"], effects: [stays] },
  { names: "xclip xsel pbpaste", literal: true, operands: ["text"], effects: [secrets] },
  { names: "gdb lldb", literal: true, operands: ["text"], effects: [stops] },
  {
    names: "ping dig nslookup host whois traceroute nc ncat netcat telnet socat ftp",
    literal: true,
    operands: ["host"],
    effects: [contacts],
  },
];
