module github.com/lanes-go/lanes/examples/gomlx

go 1.26.0

require (
	github.com/gomlx/compute v0.1.4
	github.com/lanes-go/lanes v0.1.0
)

require (
	github.com/go-logr/logr v1.4.3 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	golang.org/x/exp v0.0.0-20260410095643-746e56fc9e2f // indirect
	golang.org/x/sys v0.49.0 // indirect
	k8s.io/klog/v2 v2.140.0 // indirect
)
