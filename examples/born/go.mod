module github.com/lanes-go/lanes/examples/born

go 1.26.0

require (
	github.com/born-ml/born v0.9.0
	github.com/lanes-go/lanes v0.1.0
	github.com/stretchr/testify v1.12.1
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
