#include "textflag.h"

DATA slash<>+0(SB)/1, $'\\'
GLOBL slash<>(SB), RODATA|NOPTR, $1
DATA quote<>+0(SB)/1, $'"'
GLOBL quote<>(SB), RODATA|NOPTR, $1
DATA control<>+0(SB)/1, $0x1f
GLOBL control<>(SB), RODATA|NOPTR, $1

// func plainAVX2(buf []byte, w, i int, short *[256]byte) (int, int)
//
// SI is where it reads, DI where it writes. Each round looks at 32 bytes. AX has a bit for each of
// them that is a backslash, a quote, a control character or beyond ASCII. What stands before the
// first of these is copied, 32 bytes at once: what is too much is written over later.
TEXT ·plainAVX2(SB), NOSPLIT, $0-64
	MOVQ buf_base+0(FP), R8
	MOVQ buf_len+8(FP), R9
	MOVQ w+24(FP), DI
	MOVQ i+32(FP), SI
	MOVQ short+40(FP), R10
	ADDQ R8, DI
	ADDQ R8, SI
	LEAQ -66(R8)(R9*1), R9 // the last SI of a round: it reads 32 bytes, an escape, and 32 more
	VPBROADCASTB slash<>(SB), Y0
	VPBROADCASTB quote<>(SB), Y1
	VPBROADCASTB control<>(SB), Y2

round:
	CMPQ SI, R9
	JGT  done
	VMOVDQU (SI), Y3
	VPCMPEQB Y0, Y3, Y4
	VPCMPEQB Y1, Y3, Y5
	VPMINUB  Y2, Y3, Y6
	VPCMPEQB Y6, Y3, Y6 // it is not above 0x1f
	VPOR     Y4, Y5, Y5
	VPOR     Y3, Y6, Y6 // beyond ASCII the highest bit is set, which is the one that counts
	VPOR     Y5, Y6, Y6
	VPMOVMSKB Y6, AX
	VMOVDQU Y3, (DI)
	TESTL   AX, AX
	JNZ     special
	ADDQ    $32, SI
	ADDQ    $32, DI
	JMP     round

special:
	MOVQ SI, R11 // where the round began

next:
	TZCNTL AX, CX
	SUBQ   SI, DI
	LEAQ   (R11)(CX*1), SI
	ADDQ   SI, DI
	CMPB   (SI), $'\\'
	JNE    done
	MOVBLZX 1(SI), DX
	MOVBLZX (R10)(DX*1), DX
	TESTL  DX, DX
	JZ     done
	MOVB   DX, (DI)
	INCQ   DI
	ADDQ   $2, SI
	BTRL   CX, AX
	INCL   CX
	BTRL   CX, AX // the letter of the escape may be a quote or a backslash
	TESTL  AX, AX
	JZ     round
	VMOVDQU (SI), Y3
	VMOVDQU Y3, (DI)
	JMP    next

done:
	VZEROUPPER
	SUBQ R8, DI
	SUBQ R8, SI
	MOVQ DI, ret+48(FP)
	MOVQ SI, ret1+56(FP)
	RET
