module github.com/lanes-go/lanes/asmcheck

go 1.26.0

require golang.org/x/arch v0.32.0
