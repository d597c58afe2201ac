#include "go_asm.h"
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
// What is marked next time is fetched into the cache meanwhile: usualBlocks further on.
TEXT ·markAVX2(SB), NOSPLIT, $0-26
	MOVQ text+0(FP), SI
	MOVQ into+8(FP), DI
	MOVQ blocks+16(FP), CX
	VPBROADCASTB comma+24(FP), Y0
	VPBROADCASTB quote<>(SB), Y1
	VPBROADCASTB eol+25(FP), Y2

next:
	PREFETCHT0 4096(SI)
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

DATA places<>+0(SB)/8, $0x0706050403020100
DATA places<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA places<>+16(SB)/8, $0x1716151413121110
DATA places<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA places<>+32(SB)/8, $0x2726252423222120
DATA places<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA places<>+48(SB)/8, $0x3736353433323130
DATA places<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL places<>(SB), RODATA|NOPTR, $64
DATA blockSize<>+0(SB)/2, $64
GLOBL blockSize<>(SB), RODATA|NOPTR, $2

// func fillAVX512(m *marker, window *byte, from, to int, comma, eol byte) (at int)
//
// What is in a quoted cell is told by multiplying the quotation marks by -1 without carrying. Of the
// numbers from 0 to 63, those are put together whose bits are set, and the block's place is added.
TEXT ·fillAVX512(SB), NOSPLIT, $8-48
	MOVQ m+0(FP), DI
	MOVQ window+8(FP), BX
	MOVQ from+16(FP), SI
	MOVQ to+24(FP), CX
	SHLQ $6, SI
	SHLQ $6, CX
	VPBROADCASTW SI, Z9 // the block's place
	ADDQ BX, SI
	ADDQ BX, CX
	MOVQ CX, end-8(SP)
	MOVQ marker_ends(DI), R8
	MOVQ marker_inEnds(DI), AX
	LEAQ (R8)(AX*2), R8
	MOVQ marker_lines(DI), R9
	MOVQ marker_inLines(DI), AX
	LEAQ (R9)(AX*2), R9
	MOVQ marker_inside(DI), R10
	MOVQ marker_parted(DI), R11
	MOVQ marker_shut(DI), R12
	VPBROADCASTB comma+32(FP), Z0
	VPBROADCASTB quote<>(SB), Z1
	VPBROADCASTB eol+33(FP), Z2
	VPCMPEQB Y5, Y5, Y5
	VMOVDQU8 places<>(SB), Z6
	VPBROADCASTW blockSize<>(SB), Z10

block:
	VMOVDQU8 (SI), Z3
	VPCMPEQB Z0, Z3, K1
	VPCMPEQB Z1, Z3, K2
	VPCMPEQB Z2, Z3, K3
	KMOVQ K1, AX
	KMOVQ K2, BX
	KMOVQ K3, DX
	VMOVQ BX, X4
	VPCLMULQDQ $0, X5, X4, X4
	VMOVQ X4, DI
	XORQ  R10, DI      // from an opening mark on up to the byte before its closing mark
	MOVQ  BX, R13
	ANDQ  DI, R13      // opening
	ANDNQ BX, DI, R14  // closing
	ANDNQ AX, DI, AX
	ANDNQ DX, DI, DX   // line ends
	ORQ   DX, AX       // with delimiters
	MOVQ  AX, BX
	ORQ   R14, BX      // parting
	LEAQ  (R11)(BX*2), R15
	ANDNQ R13, R15, R15
	ORQ   AX, R13
	LEAQ  (R12)(R14*2), CX
	ANDNQ CX, R13, CX
	ORQ   CX, R15
	JNZ   done         // an odd one, as it seems
	MOVQ  DI, R10
	SARQ  $63, R10
	MOVQ  BX, R11
	SHRQ  $63, R11
	MOVQ  R14, R12
	SHRQ  $63, R12
	KMOVQ AX, K1
	VPCOMPRESSB.Z Z6, K1, Z3
	VEXTRACTI64X4 $1, Z3, Y4
	VPMOVZXBW Y3, Z3
	VPMOVZXBW Y4, Z4
	VPADDW Z9, Z3, Z3
	VPADDW Z9, Z4, Z4
	VPADDW Z10, Z9, Z9
	VMOVDQU16 Z3, 0(R8)
	VMOVDQU16 Z4, 64(R8)
	POPCNTQ AX, AX
	LEAQ (R8)(AX*2), R8

	// The place of the first line end is written even if there is none.
	TZCNTQ DX, CX
	LEAQ  (SI)(CX*1), CX
	SUBQ  window+8(FP), CX
	MOVW  CX, (R9)
	POPCNTQ DX, CX
	MOVQ  R9, R15
	LEAQ  (R9)(CX*2), R9
	BLSRQ DX, DX
	JNZ   lines

next64:
	ADDQ $64, SI
	CMPQ SI, end-8(SP)
	JNE  block
	JMP  done

lines:
	ADDQ  $2, R15
	TZCNTQ DX, CX
	LEAQ  (SI)(CX*1), CX
	SUBQ  window+8(FP), CX
	MOVW  CX, (R15)
	BLSRQ DX, DX
	JNZ   lines
	JMP   next64

done:
	VZEROUPPER
	MOVQ m+0(FP), DI
	SUBQ marker_ends(DI), R8
	SHRQ $1, R8
	MOVQ R8, marker_inEnds(DI)
	SUBQ marker_lines(DI), R9
	SHRQ $1, R9
	MOVQ R9, marker_inLines(DI)
	MOVQ R10, marker_inside(DI)
	MOVQ R11, marker_parted(DI)
	MOVQ R12, marker_shut(DI)
	SUBQ window+8(FP), SI
	SHRQ $6, SI
	MOVQ SI, at+40(FP)
	RET

// PLACE stores the place of the lowest bit of AX, and clears it.
#define PLACE(offset) \
	TZCNTQ AX, CX \
	ADDL   DX, CX \
	MOVW   CX, offset(DI) \
	BLSRQ  AX, AX

// func placesBMI1(all uint64, into *uint16, from uint16)
TEXT ·placesBMI1(SB), NOSPLIT, $0-18
	MOVQ all+0(FP), AX
	MOVQ into+8(FP), DI
	MOVWLZX from+16(FP), DX

eight:
	PLACE(0)
	PLACE(2)
	PLACE(4)
	PLACE(6)
	PLACE(8)
	PLACE(10)
	PLACE(12)
	PLACE(14)
	ADDQ  $16, DI
	TESTQ AX, AX
	JNZ   eight
	RET
