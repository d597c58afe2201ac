#include "textflag.h"

// EQUAL stores at an offset the bits of the 64 bytes in Y3 and Y4 that are equal to the byte of
// which pattern consists.
#define EQUAL(pattern, offset) \
	VPCMPEQB  pattern, Y3, Y5 \
	VPCMPEQB  pattern, Y4, Y6 \
	VPMOVMSKB Y5, AX \
	VPMOVMSKB Y6, DX \
	SHLQ      $32, DX \
	ORQ       DX, AX \
	MOVQ      AX, offset(DI)

DATA quote<>+0(SB)/1, $'"'
GLOBL quote<>(SB), RODATA|NOPTR, $1

// func markAVX2(text *byte, into *marks, blocks int, comma, eol byte)
//
// What is marked next time is fetched into the cache meanwhile: windowBlocks further on.
TEXT ·markAVX2(SB), NOSPLIT, $0-26
	MOVQ text+0(FP), SI
	MOVQ into+8(FP), DI
	MOVQ blocks+16(FP), CX
	VPBROADCASTB comma+24(FP), Y0
	VPBROADCASTB quote<>(SB), Y1
	VPBROADCASTB eol+25(FP), Y2

next:
	PREFETCHT0 2048(SI)
	VMOVDQU 0(SI), Y3
	VMOVDQU 32(SI), Y4
	EQUAL(Y0, 0)
	EQUAL(Y1, 8)
	EQUAL(Y2, 16)
	ADDQ $64, SI
	ADDQ $24, DI
	DECQ CX
	JNZ  next
	VZEROUPPER
	RET
