package drivers

import (
	"strings"
	"testing"
)

// clearPG removes the PG* variables for the length of a test.
func clearPG(t testing.TB) {
	for _, name := range []string{"PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGPASSWORD", "PGSERVICE", "PGSSLMODE", "PGAPPNAME", "PGCONNECT_TIMEOUT"} {
		t.Setenv(name, "")
	}
}

func TestDSN(t *testing.T) {
	cases := []struct {
		name, dsn   string
		environment map[string]string
		want, app   string
	}{
		{"URL", "postgres://u:hunter2@db.example:6543/d", nil, "postgres host=db.example port=6543 user=u dbname=d", "queuelab"},
		{"keywords", "host=/run/pg user=u dbname=d password=hunter2 application_name=mine", nil, "postgres host=/run/pg port=5432 user=u dbname=d", "mine"},
		{"variables", "", map[string]string{"PGHOST": "h", "PGPORT": "7", "PGUSER": "u", "PGDATABASE": "d", "PGPASSWORD": "hunter2"},
			"postgres host=h port=7 user=u dbname=d", "queuelab"},
		{"the DSN goes before variables", "host=h dbname=e", map[string]string{"PGUSER": "u", "PGDATABASE": "d"}, "postgres host=h port=5432 user=u dbname=e", "queuelab"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			clearPG(t)
			for name, value := range c.environment {
				t.Setenv(name, value)
			}
			config, err := parseDSN(c.dsn)
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(config); got != c.want {
				t.Errorf("describe = %q, want %q", got, c.want)
			}
			if got := config.ConnConfig.RuntimeParams["application_name"]; got != c.app {
				t.Errorf("application name %q, want %q", got, c.app)
			}
		})
	}
}

func TestMalformedDSN(t *testing.T) {
	clearPG(t)
	cases := []struct{ dsn, mentions string }{
		{"postgres://u:hunter2@h:port/d", "invalid port"},
		{"postgres://u:hunter2/@h/d", "malformed"},
		{"host=h port=hunter2", "invalid port"},
		{"host", "malformed"},
		{"host=h password='hunter2", "malformed"},
		{"hunter2@h", "malformed"},
		{"host=h password=hunter2 connect_timeout=x", "invalid connect_timeout"},
		{"host=h password=hunter2 sslmode=maybe", "failed to configure TLS"},
	}
	for _, c := range cases {
		_, err := parseDSN(c.dsn)
		if err == nil || !strings.Contains(err.Error(), c.mentions) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("parseDSN(%q) = %v, want an error that mentions %q and no password", c.dsn, err, c.mentions)
		}
	}
}

// FuzzDSN: a password shows neither in what is measured nor in an error,
// however the rest is malformed.
func FuzzDSN(f *testing.F) {
	f.Add("postgres://u:", "@h:5432/d")
	f.Add("host=h password=", " dbname=d port=x")
	f.Add("password='", "")
	f.Add("u:", "@h")
	f.Fuzz(func(t *testing.T, before, after string) {
		const secret = "hunter2"
		if strings.Contains(before+after, "service") { // would read files
			return
		}
		config, err := parseDSN(before + secret + after)
		switch {
		case err != nil && strings.Contains(err.Error(), secret):
			t.Errorf("the password shows in %q", err)
		case err == nil && config.ConnConfig.Password == secret && strings.Contains(describe(config), secret):
			t.Errorf("the password shows in %q", describe(config))
		}
	})
}
