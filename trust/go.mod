module github.com/lanes-go/lanes/trust

go 1.26.0

require (
	github.com/lanes-go/lanes v0.0.0
	github.com/lanes-go/lanes/onnx v0.0.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/arch v0.32.0
	golang.org/x/sys v0.49.0
	google.golang.org/protobuf v1.36.12
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace (
	github.com/lanes-go/lanes => ../
	github.com/lanes-go/lanes/onnx => ../onnx
)
