module github.com/iterace/iterace/eval

go 1.26.0

replace github.com/iterace/iterace => ../

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/iterace/iterace v0.0.0-00010101000000-000000000000
	golang.org/x/tools v0.52.0
)

require (
	github.com/chavacava/garif v0.1.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)
