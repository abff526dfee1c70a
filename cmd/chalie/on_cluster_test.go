package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"chalie/adapters/eventstorelog/teststore"
)

// onCluster has the stories told with their log on a cluster instead of on this machine.
var onCluster = os.Getenv("CHALIE_ON_CLUSTER") != ""

// clusters are those that keep the logs of the tests under way, by data directory.
var clusters sync.Map

// clusterOf is the connection string of the cluster that keeps a data directory's log; ""
// when it is kept there.
func clusterOf(t *testing.T, data string) string {
	t.Helper()
	if !onCluster {
		return ""
	}
	if url, ok := clusters.Load(data); ok {
		return url.(string)
	}
	url := teststore.Start(t, teststore.Config{}).URL()
	clusters.Store(data, url)
	t.Cleanup(func() { clusters.Delete(data) })
	return url
}

// keptBy are the flags by which a program finds its log.
func keptBy(t *testing.T, data string) []string {
	t.Helper()
	if url := clusterOf(t, data); url != "" {
		return []string{"--log", url}
	}
	return nil
}

// A cluster's log has a record more, of who took it over. asAlone tells a story as it is
// told of a log on this machine.
var (
	takeover = regexp.MustCompile(`(?m)^log +1 log\.taken_over by .*\n`)
	placed   = regexp.MustCompile(`(?m)(^log +| · |^ +)(\d+)( [a-z]+\.|<br/>|  \d{4}-\d\d-\d\d | {10,}[│ ]*[├└]─)`)
)

func asAlone(told string) string {
	if !onCluster {
		return told
	}
	return placed.ReplaceAllStringFunc(takeover.ReplaceAllString(told, ""), func(found string) string {
		part := placed.FindStringSubmatch(found)
		before, err := strconv.Atoi(part[2])
		if err != nil {
			panic(err) // it is digits
		}
		if strings.HasSuffix(part[1], "· ") {
			return fmt.Sprintf("%s%d%s", part[1], before-1, part[3])
		}
		return fmt.Sprintf("%s%*d%s", part[1], len(part[2]), before-1, part[3])
	})
}
