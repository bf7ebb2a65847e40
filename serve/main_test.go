package serve

import (
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
