module github.com/lanes-go/lanes/asmgen

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/mmcloughlin/avo v0.6.0
	github.com/stretchr/testify v1.12.1
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/mod v0.35.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/tools v0.44.0 // indirect
)
