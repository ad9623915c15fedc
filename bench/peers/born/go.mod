module github.com/lanes-go/lanes/bench/peers/born

go 1.26.0

require (
	github.com/born-ml/born v0.9.0
	github.com/lanes-go/lanes/bench/peers/protocol v0.0.0
)

replace github.com/lanes-go/lanes/bench/peers/protocol => ../protocol
