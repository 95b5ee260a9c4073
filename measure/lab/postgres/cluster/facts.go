package cluster

import (
	"context"

	"queuelab/measure/database"
)

// Facts are what a reader of a measurement needs to know of any cluster, by name: those
// of its database, and where it runs.
func (c *Cluster) Facts(ctx context.Context) (map[string]string, error) {
	facts, err := database.Facts(ctx, c.DSN())
	if err != nil {
		return nil, err
	}
	facts["placement"] = c.Placement()
	facts["account"] = c.Account()
	facts["listens"] = "a Unix socket in a directory with mode 0700; no TCP port"
	return facts, nil
}
