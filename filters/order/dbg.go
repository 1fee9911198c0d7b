package order

import "os"

var dbg = os.Getenv("DBG") != ""
