#include "textflag.h"

// FILL fills a register with one byte.
#define FILL(byte, register) \
	MOVQ       byte, register \
	PUNPCKLBW  register, register \
	PSHUFLW    $0, register, register \
	PUNPCKLQDQ register, register

// EQUAL adds to the lower end of bits, for 16 bytes, which are equal to the byte that
// pattern consists of.
#define EQUAL(bytes, pattern, bits) \
	MOVO     pattern, X3 \
	PCMPEQB  bytes, X3 \
	PMOVMSKB X3, DX \
	SHLQ     $16, bits \
	ORQ      DX, bits

// SIXTEEN marks the 16 bytes at an offset.
#define SIXTEEN(offset) \
	MOVOU offset(SI), X4 \
	EQUAL(X4, X0, R8) \
	EQUAL(X4, X1, R9) \
	EQUAL(X4, X2, R10)

// func markSSE2(text *byte, into *marks, blocks int, comma, eol byte)
TEXT ·markSSE2(SB), NOSPLIT, $0-26
	MOVQ    text+0(FP), SI
	MOVQ    into+8(FP), DI
	MOVQ    blocks+16(FP), CX
	MOVBQZX comma+24(FP), AX
	FILL(AX, X0)
	MOVQ    $'"', AX
	FILL(AX, X1)
	MOVBQZX eol+25(FP), AX
	FILL(AX, X2)

next:
	XORQ R8, R8
	XORQ R9, R9
	XORQ R10, R10
	SIXTEEN(48)
	SIXTEEN(32)
	SIXTEEN(16)
	SIXTEEN(0)
	MOVQ R8, 0(DI)
	MOVQ R9, 8(DI)
	MOVQ R10, 16(DI)
	ADDQ $64, SI
	ADDQ $24, DI
	DECQ CX
	JNZ  next
	RET
