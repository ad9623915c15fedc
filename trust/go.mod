module github.com/lanes-go/lanes/trust

go 1.26.0

require (
	github.com/lanes-go/lanes v0.1.0
	github.com/lanes-go/lanes/onnx v0.1.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/arch v0.32.0
	golang.org/x/mod v0.35.0
	golang.org/x/sys v0.49.0
	google.golang.org/protobuf v1.36.12
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
