import { programFolders, RESOLVER_FOLDERS, SYSTEM_FOLDERS } from "./base-folders.ts";
import type { Machine } from "./confine.ts";
import { type Bind, inOrder } from "./namespaces.ts";
import type { Launch, Program, Wish } from "./sandbox.ts";

/**
 * Landlock (landlock(7), kernel 5.13 and newer) where namespaces are not to be had, as in most containers. The three
 * calls have one number on every processor; prctl has not. Arguments: `network` or `no-network`, then `ro PATH` and
 * `rw PATH`, `--`, the folder, the number of the first descriptor to close, and the command.
 */
const LANDLOCK = String.raw`
use strict; use warnings; use POSIX ();
my $machine = (POSIX::uname())[4];
my $prctl = $machine eq 'x86_64' ? 157 : $machine =~ /^(?:aarch64|riscv64)$/ ? 167 : die "aura-sandbox: unknown processor $machine\n";
sub fail { print STDERR "aura-sandbox: $_[0]: $!\n"; POSIX::_exit(125); }
my $version = syscall(444, 0, 0, 1); fail('Landlock') if $version < 1;
my $all = $version >= 5 ? 0xffff : $version >= 3 ? 0x7fff : $version >= 2 ? 0x3fff : 0x1fff;
my $read = 0x1 | 0x4 | 0x8; my $of_files = 0x1 | 0x2 | 0x4 | 0x4000 | 0x8000;
my $closed = shift @ARGV eq 'no-network';
fail('this kernel cannot close the network') if $closed && $version < 4;
my $rules = pack('Q3', $all, $closed ? 3 : 0, $version >= 6 ? 3 : 0);
my $set = syscall(444, $rules, $version >= 6 ? 24 : $version >= 4 ? 16 : 8, 0); fail('Landlock') if $set < 0;
while (@ARGV) { my $how = shift @ARGV; last if $how eq '--'; my $path = shift @ARGV; next unless -e $path;
  my $p = "$path"; my $fd = syscall(257 + ($machine eq 'x86_64' ? 0 : -201), -100, $p, 0x200000 | 0x80000); next if $fd < 0;
  my $allowed = $how eq 'ro' ? $read : $all & ~(0x40 | 0x800); $allowed &= $all; $allowed &= $of_files unless -d $path;
  my $rule = pack('Ql', $allowed, $fd); syscall(445, $set, 1, $rule, 0) == 0 or fail($path); POSIX::close($fd); }
my ($cwd, $keep) = (shift @ARGV, shift @ARGV);
syscall($prctl, 38, 1, 0, 0, 0) == 0 or fail('prctl');
syscall(446, $set, 0) == 0 or fail('Landlock');
chdir $cwd or fail("the folder $cwd is out of reach");
syscall(436, $keep+0, 0x7fffffff, 0);
my $file = shift @ARGV; my $name = shift @ARGV; exec { $file } $name, @ARGV or fail("cannot run $file");
`;

export function landlockLaunch({ starter }: Machine, wish: Wish, program: Program, path: string | undefined): Launch {
  const { file, name, args, cwd, readsThree } = program;
  const readable = [
    ...SYSTEM_FOLDERS,
    ...(wish.network === "inherit" ? RESOLVER_FOLDERS : []),
    ...programFolders(path, wish.home),
    // What belongs to other programs there stays closed: it takes the right to trace them.
    "/proc",
    ...wish.readOnly,
  ].map((at): Bind => ({ how: "ro", path: at }));
  const writable = [...DEVICES, "/tmp", "/var/tmp", ...wish.readWrite].map((at): Bind => ({ how: "rw", path: at }));
  return {
    file: starter,
    args: [
      ...["-e", LANDLOCK, "--", wish.network === "none" ? "no-network" : "network"],
      ...inOrder([...readable, ...writable]).flatMap(({ how, path: at }) => [how, at]),
      ...["--", cwd, readsThree ? "4" : "3", file, name, ...args],
    ],
  };
}

const DEVICES = ["null", "zero", "full", "random", "urandom", "tty", "pts", "ptmx", "shm", "fd"].map(
  (name) => `/dev/${name}`,
);
