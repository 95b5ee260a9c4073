package drivers

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

const postgresBinaries = "/usr/lib/postgresql/*/bin"

// unprivileged has a command run as another user when root runs the tests,
// since PostgreSQL refuses to run as root.
func unprivileged(t testing.TB) (uid, gid int, configure func(*exec.Cmd)) {
	t.Helper()
	if os.Getuid() != 0 {
		return os.Getuid(), os.Getgid(), func(*exec.Cmd) {}
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(account.Uid)
		gid, _ := strconv.Atoi(account.Gid)
		return uid, gid, func(command *exec.Cmd) {
			command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		}
	}
	t.Fatal("there is no user postgres or nobody that PostgreSQL could run as")
	return 0, 0, nil
}

// cluster is an initialised data folder that each server starts from a copy
// of, since making one takes seconds.
var cluster struct {
	once   sync.Once
	folder string
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if cluster.folder != "" {
		os.RemoveAll(cluster.folder)
	}
	os.Exit(code)
}

// folderFor makes a folder of the given user that nobody else can enter. Unix
// sockets allow no long paths, and another user could not enter t.TempDir.
func folderFor(uid, gid int) (string, error) {
	folder, err := os.MkdirTemp("/tmp", "queuelab-pg")
	if err != nil {
		return "", err
	}
	return folder, os.Chown(folder, uid, gid)
}

// postgres starts a private server that listens on a socket in its folder
// only, and returns that folder. It holds the table accounts with 1,000 rows
// of balance 1.
func postgres(t testing.TB) (folder string) {
	t.Helper()
	initdb := program(t, "initdb", postgresBinaries)
	binary := program(t, "postgres", postgresBinaries)
	uid, gid, configure := unprivileged(t)
	cluster.once.Do(func() {
		if cluster.folder, cluster.err = folderFor(uid, gid); cluster.err != nil {
			return
		}
		command := exec.Command(initdb, "-D", cluster.folder+"/data", "-U", "queuelab", "-A", "trust", "--no-sync", "--no-instructions")
		configure(command)
		if output, err := command.CombinedOutput(); err != nil {
			cluster.err = fmt.Errorf("initdb: %w: %s", err, output)
		}
	})
	if cluster.err != nil {
		t.Fatal(cluster.err)
	}
	folder, err := folderFor(uid, gid)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	copied := exec.Command("cp", "-a", cluster.folder+"/data", folder)
	configure(copied)
	if output, err := copied.CombinedOutput(); err != nil {
		t.Fatalf("cp: %v: %s", err, output)
	}
	start(t, "INT", configure, binary, "-D", folder+"/data", "-k", folder,
		"-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=20", "-c", "superuser_reserved_connections=0")
	eventually(t, "PostgreSQL answers", func() bool {
		conn, err := pgx.Connect(t.Context(), dsn(folder))
		if err != nil {
			return false
		}
		defer conn.Close(t.Context())
		_, err = conn.Exec(t.Context(), `CREATE TABLE IF NOT EXISTS accounts AS SELECT id, 1::bigint AS balance FROM generate_series(0, 999) AS id`)
		return err == nil
	})
	return folder
}

func dsn(folder string) string { return "host=" + folder + " user=queuelab dbname=postgres" }

// postmaster returns the process id of the server in a folder.
func postmaster(t *testing.T, folder string) int {
	t.Helper()
	lines, err := os.ReadFile(filepath.Join(folder, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(lines), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// ask runs a query apart from the driver under test and returns its one value.
func ask(t *testing.T, folder, sql string) (value int64) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn(folder))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), sql).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}
