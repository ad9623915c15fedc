module github.com/lanes-go/lanes/bench/peers/protocol

go 1.26.0
