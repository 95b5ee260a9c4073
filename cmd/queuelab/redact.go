package main

import "regexp"

// secrets are the places of a command line in which a secret may stand: the
// password of a URL or a keyword DSN, and what an Authorization header says.
var secrets = []*regexp.Regexp{
	regexp.MustCompile(`(://[^:/@\s]*:)[^@\s]*(@)`),
	regexp.MustCompile(`(?i)(password\s*=\s*)(?:'[^']*'|[^\s&]*)()`),
	regexp.MustCompile(`(?i)(authorization:\s*(?:[a-z]+\s+)?)\S+()`),
}

// redact removes secrets from a command line.
func redact(command string) string {
	for _, secret := range secrets {
		command = secret.ReplaceAllString(command, "${1}REDACTED${2}")
	}
	return command
}
