// Package abi checks that the assembly of package lanes leaves alone what Go's
// ABI0 says is not its own: the stack pointer and the frame pointer, the control
// words and flags, the upper halves of vector registers, the caller's stack, and on arm64
// R18 and R26 to R30.
//
// It does so twice, for every TEXT of kernels_amd64.s and kernels_arm64.s. A probe, a program built
// of the assembly and a trampoline, poisons all of that, calls each body and looks at what is left,
// as checkasm of FFmpeg and dav1d and CHECK_ABI of BoringSSL do for C. And each instruction of the
// probe's machine code is decoded, for what it writes on paths that no call took. Offenders that
// are planted in the probe, one for each register, have to be found by the one or the other.
//
// What kernels_arm64.s writes as numbers, because Go's assembler lacks the instructions, is decoded
// as well and compared with the comments beside it.
//
// What else the assembly must keep is checked where it is written: VZEROUPPER before each RET, R15
// with -dynlink and the frames' sizes by the rules of asmgen.
package abi
