package main

import "regexp"

// secrets are the places of one argument in which a secret may stand. What
// replaces it stands between the two groups of the pattern.
var secrets = []*regexp.Regexp{
	// The password of a URL, up to the last @ of its authority.
	regexp.MustCompile(`(://[^:/?#\s]*:)[^/?#\s]*(@)`),
	// The password of a keyword DSN, quoted or with escapes, or of a query.
	regexp.MustCompile(`(?i)(password\s*=\s*)(?:'(?:[^'\\]|\\.)*'|(?:[^\s&\\]|\\.)*)()`),
	// A value of a URL's query or of a form.
	regexp.MustCompile(`(?i)((?:^|[?&=])[^?&=\s]*(?:token|secret|api[-_]?key)[^?&=\s]*=)[^&#\s]*()`),
	// A member of a JSON body.
	regexp.MustCompile(`(?i)("[^"]*(?:password|token|secret|api[-_]?key)[^"]*"\s*:\s*")(?:[^"\\]|\\.)*(")`),
	// All that a header says whose name tells of a secret.
	regexp.MustCompile(`(?is)^((?:--?header=)?\s*[^\s:/=]*(?:key|token|secret|auth|cookie)[^\s:/=]*\s*:\s*).*()$`),
}

// redact removes secrets from one argument of a command line.
func redact(argument string) string {
	for _, secret := range secrets {
		argument = secret.ReplaceAllString(argument, "${1}REDACTED${2}")
	}
	return argument
}
