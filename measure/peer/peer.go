// Package peer runs load generators side by side, this program among them as a
// process of its own, and measures what each costs and how punctual it is. All are
// judged from outside and in the same way: their CPU time as the kernel counts it,
// the instants of their requests as the kernel stamps them.
package peer

// Tool is a load generator that is installed.
type Tool struct{ Name, Version, Path string }

// Missing is one that is not, and the command that installs it.
type Missing struct{ Name, Install string }
