/**
 * Runs a command in namespaces of its own, as `unshare` made them: it builds the file system the command is to see,
 * makes that its root, and gives the command a user namespace below, in which nothing of it can be unmounted again
 * (user_namespaces(7), mount_namespaces(7): "less privileged" mounts are locked). Perl, because it is on nearly every
 * Linux (git needs it) and can call the kernel without a compiler. The calls that have one number on every processor are
 * used where there is a choice (open_tree, move_mount, mount_setattr, fsopen, fsconfig, fsmount).
 *
 * Arguments: steps, each a word with a fixed number of values, then `--` and the command. Paths are absolute.
 *   control DIR             an empty folder of ours; the new root is built in DIR/root
 *   at DIR                  the new root covers DIR, of which nothing is needed
 *   base                    the new root begins as the machine's tree, all of it read-only
 *   empty                   the new root begins empty
 *   bind ro|rw PATH         the machine's PATH; skipped when there is none
 *   tmpfs PATH MB           an empty folder in memory
 *   hide PATH               an empty file or folder instead; skipped when there is none
 *   link TARGET PATH        a symbolic link
 *   overlay PATH MB         PATH with changes kept aside, in memory up to MB, or in DIR when MB is 0
 *   proc, dev               the two file systems programs expect
 *   loopback                the network interface every program may talk to itself by
 *   watch PATH              tells what was left below PATH
 *   limit NUMBER VALUE      setrlimit(2)
 *   user UID GID            who the command is, inside
 *   cwd PATH
 *   keep FD                 no descriptor from FD on goes to the command
 *   collect FILES MB        afterwards writes DIR/manifest and DIR/out, unless more changed than this
 */
export const LAUNCHER = String.raw`
use strict; use warnings;
use Fcntl qw(:mode);
use POSIX ();
my $machine = (POSIX::uname())[4];
my %numbers = ($machine eq 'x86_64') ? (unshare=>272, pivot_root=>155, umount2=>166, prctl=>157, prlimit=>302)
  : ($machine =~ /^(?:aarch64|riscv64)$/) ? (unshare=>97, pivot_root=>41, umount2=>39, prctl=>167, prlimit=>261)
  : (die "aura-sandbox: unknown processor $machine\n");
my $HERE = -100; my $EMPTY = "";
sub fail { print STDERR "aura-sandbox: $_[0]: $!\n"; POSIX::_exit(125); }
sub call { my ($what, @rest) = @_; my $got = syscall($rest[0], @rest[1..$#rest]); fail($what) if $got < 0; return $got; }
sub above { my $path = shift; my $at = ''; my @parts = grep { length } split m{/}, $path; pop @parts;
  for (@parts) { $at .= "/$_"; mkdir $at, 0755; } }
sub place { my ($path, $folder) = @_; above($path);
  if ($folder) { mkdir $path, 0755; } elsif (!-e $path) { my $f; close $f if open $f, '>', $path; } }
sub open_copy { my ($path) = @_; my $p = "$path"; return call("open_tree $path", 428, $HERE, $p, 0x1|0x80000|0x8000); }
sub lock_fd { my ($fd, $set) = @_; my $attr = pack('Q4', $set, 0, 0, 0); my $e = "";
  call('mount_setattr', 442, $fd, $e, 0x1000|0x8000, $attr, 32); }
sub move_to { my ($fd, $path) = @_; my $e = ""; my $p = "$path"; call("mounting $path", 429, $fd, $e, $HERE, $p, 0x4); POSIX::close($fd); }
sub fresh { my ($type, $path, $attr, %options) = @_; my $t = "$type"; my $fs = call("fsopen $type", 430, $t, 0);
  for my $key (sort keys %options) { my $k = "$key"; my $v = defined $options{$key} ? "$options{$key}" : undef;
    defined $v ? call("$type $key", 431, $fs, 1, $k, $v, 0) : call("$type $key", 431, $fs, 0, $k, 0, 0); }
  call("making $type", 431, $fs, 6, 0, 0, 0);
  my $fd = call("fsmount $type", 432, $fs, 0, $attr); POSIX::close($fs); move_to($fd, $path); }
my ($RDONLY, $NOSUID, $NODEV) = (1, 2, 4);
my ($control, $root, $overlay, $cwd, @user, @limits, @watched, @collect) = ('', '', undef, '/');
my $scratch; my $keep = 3;
while (@ARGV) {
  my $step = shift @ARGV;
  last if $step eq '--';
  if ($step eq 'control') { $control = shift @ARGV; $root = "$control/root"; mkdir $root, 0700; }
  elsif ($step eq 'at') { $root = shift @ARGV; }
  elsif ($step eq 'keep') { $keep = shift @ARGV; }
  elsif ($step eq 'base') { my $fd = open_copy('/'); lock_fd($fd, $RDONLY|$NOSUID); move_to($fd, $root); }
  elsif ($step eq 'empty') { fresh('tmpfs', $root, $NOSUID|$NODEV, mode=>'0755', size=>'16m'); }
  elsif ($step eq 'bind') { my ($how, $path) = (shift @ARGV, shift @ARGV); next unless -e $path;
    my $fd = open_copy($path); lock_fd($fd, $NOSUID | ($how eq 'ro' ? $RDONLY : 0)); place("$root$path", -d $path); move_to($fd, "$root$path"); }
  elsif ($step eq 'tmpfs') { my ($path, $mb) = (shift @ARGV, shift @ARGV); place("$root$path", 1); next unless -d "$root$path";
    fresh('tmpfs', "$root$path", $NOSUID|$NODEV, mode=>($path =~ m{^/(?:var/)?tmp$|shm$} ? '1777' : '0755'), size=>"$mb" . 'm'); }
  elsif ($step eq 'hide') { my $path = "$root" . shift @ARGV; next unless -e $path && !-l $path;
    if (-d $path) { fresh('tmpfs', $path, $RDONLY|$NOSUID|$NODEV, mode=>'0755', size=>'4k'); }
    else { move_to(open_copy('/dev/null'), $path); } }
  elsif ($step eq 'link') { my ($target, $path) = (shift @ARGV, shift @ARGV); above("$root$path"); symlink $target, "$root$path"; }
  elsif ($step eq 'overlay') { my ($path, $mb) = (shift @ARGV, shift @ARGV);
    my ($lower, $aside) = ("$control/lower", "$control/scratch"); mkdir $lower, 0700; mkdir $aside, 0700;
    my $fd = call("open_tree $path", 428, $HERE, $path, 0x1|0x80000); lock_fd($fd, $RDONLY); move_to($fd, $lower);
    fresh('tmpfs', $aside, $NOSUID|$NODEV, mode=>'0700', size=>"$mb" . 'm') if $mb > 0;
    mkdir "$aside/upper", 0700; mkdir "$aside/work", 0700;
    my $mode = (lstat $lower)[2] & 07777; chmod $mode, "$aside/upper";
    place("$root$path", 1);
    fresh('overlay', "$root$path", $NOSUID|$NODEV, lowerdir=>$lower, upperdir=>"$aside/upper", workdir=>"$aside/work", userxattr=>undef);
    ($overlay, $scratch) = ($path, "$aside/upper"); }
  elsif ($step eq 'proc') { place("$root/proc", 1); fresh('proc', "$root/proc", $NOSUID|$NODEV); }
  elsif ($step eq 'dev') { place("$root/dev", 1); fresh('tmpfs', "$root/dev", $NOSUID, mode=>'0755', size=>'64k');
    for (qw(null zero full random urandom)) { place("$root/dev/$_", 0); move_to(open_copy("/dev/$_"), "$root/dev/$_") if -e "/dev/$_"; }
    symlink '/proc/self/fd', "$root/dev/fd"; symlink "/proc/self/fd/$_->[0]", "$root/dev/$_->[1]" for [0,'stdin'],[1,'stdout'],[2,'stderr'];
    mkdir "$root/dev/shm", 01777; fresh('tmpfs', "$root/dev/shm", $NOSUID|$NODEV, mode=>'1777', size=>'64m'); }
  elsif ($step eq 'loopback') { socket(my $s, 2, 2, 0) or fail('socket'); my $ask = pack('a16 s x14', 'lo', 0x41); ioctl($s, 0x8914, $ask); close $s; }
  elsif ($step eq 'watch') { push @watched, shift @ARGV; }
  elsif ($step eq 'limit') { push @limits, [shift @ARGV, shift @ARGV]; }
  elsif ($step eq 'user') { @user = (shift @ARGV, shift @ARGV); }
  elsif ($step eq 'cwd') { $cwd = shift @ARGV; }
  elsif ($step eq 'collect') { @collect = (shift @ARGV, shift @ARGV); }
  else { print STDERR "aura-sandbox: unknown step $step\n"; POSIX::_exit(125); }
}
my %ours;
for my $path (@watched) { my $d; $ours{$path}{$_} = 1 for opendir($d, "$root$path") ? readdir $d : (); }
my ($out, $count, $bytes, $merged, $lower);
my $child = fork; fail('fork') unless defined $child;
if ($child == 0) {
  # Nothing of the machine's tree is left mounted below, or reachable by "..".
  call('unshare', $numbers{unshare}, 0x00020000);
  chdir $root or fail("cannot enter $root"); my $dot = '.'; my $dot2 = '.';
  call('pivot_root', $numbers{pivot_root}, $dot, $dot2); call('umount2', $numbers{umount2}, $dot, 2);
  chdir '/'; 
  call('unshare', $numbers{unshare}, 0x10000000);
  if (@user) { for (['setgroups','deny'],['uid_map',"$user[0] 0 1"],['gid_map',"$user[1] 0 1"]) {
    open(my $f, '>', "/proc/self/$_->[0]") or fail("/proc/self/$_->[0]"); syswrite($f, $_->[1]) or fail($_->[0]); close $f; } }
  call('prctl', $numbers{prctl}, 38, 1, 0, 0, 0);
  for (@limits) { my $to = pack('Q2', $_->[1], $_->[1]); call("limit $_->[0]", $numbers{prlimit}, 0, $_->[0]+0, $to, 0); }
  chdir $cwd or do { print STDERR "aura-sandbox: the folder $cwd is out of reach\n"; POSIX::_exit(125); };
  call('close_range', 436, $keep+0, 0x7fffffff, 0);
  my $file = shift @ARGV; my $name = shift @ARGV; exec { $file } $name, @ARGV or fail("cannot run $file");
}
$SIG{TERM} = sub {}; 
my $code = 125;
while (1) { my $gone = waitpid(-1, 0); last if $gone < 0 && $!{ECHILD}; next if $gone != $child;
  $code = ($? & 127) ? 128 + ($? & 127) : $? >> 8; last; }
kill 'KILL', -1; 1 while waitpid(-1, 0) > 0;
collect() if @collect;
POSIX::_exit($code);

sub collect {
  open($out, '>', "$control/manifest.new") or fail('manifest'); mkdir "$control/out", 0700;
  ($count, $bytes, $merged, $lower) = (0, 0, "$root$overlay", "$control/lower");
  for my $path (@watched) { opendir(my $d, "$root$path") or next;
    for (sort readdir $d) { print $out join("\0", 'left', "$path/$_"), "\0\0" unless /^\.\.?$/ || $ours{$path}{$_}; } }
  for (['/proc/net/snmp', 'Ip:', 'OutNoRoutes'], ['/proc/net/snmp6', 'Ip6OutNoRoutes', '']) { my ($file, $key, $column) = @$_;
    open(my $f, '<', $file) or next; my @heads;
    while (<$f>) { my @w = split; next unless @w && $w[0] eq $key; 
      if ($column eq '') { print $out "network\0\0" if $w[1] > 0; last; }
      if (!@heads) { @heads = @w; next; }
      for my $i (1..$#w) { print $out "network\0\0" if $heads[$i] eq $column && $w[$i] > 0; } last; } }
  my $fits = walk('');
  print $out $fits ? "end\0\0" : "much\0\0"; close $out; rename "$control/manifest.new", "$control/manifest";
}
sub names { opendir(my $d, $_[0]) or return; my %n = map { $_ => 1 } grep { !/^\.\.?$/ } readdir $d; return \%n; }
sub note { print $out join("\0", @_), "\0\0"; return ++$count <= $collect[0]; }
sub gone { my ($rel) = @_; my @s = lstat "$lower$rel" or return 1;
  if (S_ISDIR($s[2])) { my $in = names("$lower$rel") or return note('trouble', $rel, 'cannot be listed'); 
    for (sort keys %$in) { return 0 unless gone("$rel/$_"); } }
  return note('gone', $rel, S_ISDIR($s[2]) ? 'd' : S_ISLNK($s[2]) ? 'l' : S_ISREG($s[2]) ? 'f' : 's', $s[3]); }
sub walk { my ($rel) = @_;
  my $now = names("$merged$rel") or return note('trouble', $rel, 'cannot be listed');
  if (-d "$lower$rel" && !-l "$lower$rel") { my $was = names("$lower$rel") || {};
    for (sort keys %$was) { next if $now->{$_}; return 0 unless gone("$rel/$_"); } }
  my $upper = names("$scratch$rel") || {};
  for my $name (sort keys %$now) { next unless $upper->{$name};
    my $path = "$rel/$name"; my @s = lstat "$merged$path" or next; my $mode = sprintf '%o', $s[2] & 07777;
    my @old = lstat "$lower$path"; 
    if (S_ISLNK($s[2])) { return 0 unless gone_unless_file($path, @old); return 0 unless note('link', $path, readlink "$merged$path"); }
    elsif (S_ISDIR($s[2])) { if (@old && !S_ISDIR($old[2])) { return 0 unless gone($path); }
      return 0 unless note('folder', $path, $mode); return 0 unless walk($path); }
    elsif (S_ISREG($s[2])) { return 0 unless gone_unless_file($path, @old);
      $bytes += $s[7]; return 0 if $bytes > $collect[1] * 1048576;
      return 0 unless note('file', $path, $mode, copy("$merged$path"), $s[3], $s[9]); }
    else { return 0 unless note('trouble', $path, 'is neither a file, a folder nor a link'); } }
  return 1; }
sub gone_unless_file { my ($path, @old) = @_; return 1 unless @old && S_ISDIR($old[2]); return gone($path); }
sub copy { my ($from) = @_; my $to = $count; open(my $in, '<:raw', $from) or return 'unreadable'; open(my $o, '>:raw', "$control/out/$to") or fail('out');
  my $b; while (my $n = sysread($in, $b, 262144)) { syswrite($o, $b, $n) == $n or fail('out'); } close $o or fail('out'); return $to; }
`;
