package supervise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func itoa(n int) string { return strconv.Itoa(n) }

// leaveMemory, as the first argument of this test program, makes it a server that
// has shared memory of both kinds.
const leaveMemory = "leave-memory"

const sharedPrefix = "queuelab-test."

func holdMemory() {
	name := fmt.Sprintf("%s%s%d", posixSharedMemory, sharedPrefix, os.Getpid())
	if err := os.WriteFile(name, make([]byte, 4096), 0o600); err != nil {
		fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		fatal(err)
	}
	if _, err := unix.Mmap(int(f.Fd()), 0, 4096, unix.PROT_READ, unix.MAP_SHARED); err != nil {
		fatal(err)
	}
	if _, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, 0o600|unix.IPC_CREAT); err != nil {
		fatal(err)
	}
	fmt.Println("holding")
	time.Sleep(time.Hour)
}

func fatal(err error) {
	fmt.Println(err)
	os.Exit(1)
}

func segmentsOf(t *testing.T, pid int) (ids []int) {
	t.Helper()
	text, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range parseSegments(string(text)) {
		if s.creator == pid {
			ids = append(ids, s.id)
		}
	}
	return ids
}

func TestSharedMemoryGoesWithTheServer(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test program's own directory may be closed to an unprivileged account.
	spec := Spec{Dir: newDir(t), Server: Command{Path: self, Args: []string{leaveMemory}}, SharedMemory: sharedPrefix}
	p := start(t, spec)
	file := fmt.Sprintf("%s%s%d", posixSharedMemory, sharedPrefix, p.PID())
	if err := p.Ready(t.Context(), bound, func(context.Context) error {
		log, err := tailOf(filepath.Join(p.Dir(), logName))
		if err == nil && !strings.Contains(log, "holding") {
			err = fmt.Errorf("it says %q", log)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if !exists(file) || len(segmentsOf(t, p.PID())) != 1 {
		t.Fatalf("before: %s there %v, segments %v; want one of each", file, exists(file), segmentsOf(t, p.PID()))
	}
	if err := syscall.Kill(p.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
	if exists(file) || len(segmentsOf(t, p.PID())) != 0 {
		t.Errorf("after: %s there %v, segments %v; want none", file, exists(file), segmentsOf(t, p.PID()))
	}
}

func TestParseSegments(t *testing.T) {
	const text = `       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid      atime      dtime      ctime                   rss                  swap
   9977889          4   600                    56 10755 10771      6   101   104   101   104 1796054043 1796054043 1796054040                  4096                     0
-122223333          9  1600                   128     7     7      0     0     0     0     0          0          0 1796050000                     0                     0
`
	want := []segment{{id: 4, creator: 10755, changed: 1796054040}, {id: 9, creator: 7, changed: 1796050000}}
	if got := parseSegments(text); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, broken := range []string{"", "key shmid\n", "shmid cpid ctime\n1 2\n", "shmid cpid ctime\n1 x 3\n", "shmid cpid ctime\n-1 2 3\n"} {
		if got := parseSegments(broken); got != nil {
			t.Errorf("%q gave %+v", broken, got)
		}
	}
}

func TestMapped(t *testing.T) {
	const maps = `55d0c1a00000-55d0c1b00000 r-xp 00000000 fe:00 131 /usr/lib/postgresql/15/bin/postgres
7f6a1c000000-7f6a1c100000 rw-s 00000000 00:19 5 /dev/shm/PostgreSQL.2473938344
7f6a24d00000-7f6a2dc00000 rw-s 00000000 00:01 1025 /dev/zero (deleted)
7f6a2e000000-7f6a2e007000 rw-s 00000000 00:19 6 /dev/shm/PostgreSQL.467043698 (deleted)
7f6a2e100000-7f6a2e107000 rw-s 00000000 00:19 7 /dev/shm/someone.else
7ffd11100000-7ffd11121000 rw-p 00000000 00:00 0 [stack]
7ffd11200000-7ffd11221000 rw-p 00000000 00:00 0
`
	got := mapped(maps, posixSharedMemory+"PostgreSQL.")
	if want := []string{"/dev/shm/PostgreSQL.2473938344"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func FuzzParseSegments(f *testing.F) {
	f.Add("key shmid perms size cpid lpid nattch uid gid cuid cgid atime dtime ctime rss swap\n1 4 600 56 10755 1 6 101 104 101 104 1 1 1796054040 4096 0\n")
	f.Add("shmid cpid ctime\n9223372036854775808 1 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range parseSegments(text) {
			if s.id < 0 || s.creator <= 0 || s.changed < 0 {
				t.Errorf("%q gave %+v", text, s)
			}
		}
	})
}

func FuzzMapped(f *testing.F) {
	f.Add("7f6a1c000000-7f6a1c100000 rw-s 00000000 00:19 5 /dev/shm/PostgreSQL.2473938344\n")
	f.Fuzz(func(t *testing.T, maps string) {
		for _, path := range mapped(maps, "/dev/shm/PostgreSQL.") {
			if !strings.HasPrefix(path, "/dev/shm/PostgreSQL.") || strings.ContainsAny(path, " \n") {
				t.Errorf("%q gave %q", maps, path)
			}
		}
	})
}
