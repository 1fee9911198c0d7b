package library

import _ "github.com/BurntSushi/toml"
