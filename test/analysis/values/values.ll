; RUN: nvvm-opt %s -p 'print<cfg>' -o /dev/null 2>&1 | filecheck %s --check-prefix=CFG
; RUN: nvvm-opt %s -p 'print<liveness>' -o /dev/null 2>&1 | filecheck %s --check-prefix=LIVE
; RUN: nvvm-opt %s -p 'print<rpa>' -o /dev/null 2>&1 | filecheck %s --check-prefix=RPA
; RUN: nvvm-opt %s -p 'print<merge-sets>' -o /dev/null 2>&1 | filecheck %s --check-prefix=MERGE
; RUN: nvvm-opt %s -p 'print<known-bits>' -o /dev/null 2>&1 | filecheck %s --check-prefix=BITS
; RUN: nvvm-opt %s -p 'print<demanded-bits>' -o /dev/null 2>&1 | filecheck %s --check-prefix=DEMAND
; RUN: nvvm-opt %s -p 'print<lazy-value-info>' -o /dev/null 2>&1 | filecheck %s --check-prefix=LVI
; RUN: nvvm-opt %s -p 'print<uniformity>' -o /dev/null 2>&1 | filecheck %s --check-prefix=DIV
; RUN: nvvm-opt %s -p 'print<block-freq>' -o /dev/null 2>&1 | filecheck %s --check-prefix=FREQ

; A loop, a cycle with two entries, and a block that is its own successor by a switch with repeated edges.

; An edge is critical if its source has other successors and its target other predecessors; repeated edges count
; separately.
; CFG-LABEL: Control-flow graph for function 'loop':
; CFG: ^head -> ^head, ^done
; CFG: ^end -> exit
; CFG-NEXT: critical edge ^head -> ^head
; CFG-NEXT: critical edge ^done -> ^end
; CFG-LABEL: Control-flow graph for function 'irreducible':
; CFG: critical edge ^entry -> ^a
; CFG-NEXT: critical edge ^entry -> ^b
; CFG-NEXT: critical edge ^b -> ^a
; CFG-LABEL: Control-flow graph for function 'self':
; CFG: ^spin -> ^spin, ^out, ^out, ^spin
; CFG-COUNT-4: critical edge ^spin

; A value that a branch passes is used there; a value of the next iteration stays live through the loop.
; LIVE-LABEL: Liveness for function 'loop':
; LIVE: ^head: in: %low %n %p 1 7 out: %low %n %next %p 1 7
; LIVE: ^done: in: %low %next %p 7 out: %low %next %p
; LIVE: ^end: in: - out: -
; LIVE-LABEL: Liveness for function 'irreducible':
; LIVE: ^entry: in: - out: 0 255
; LIVE: ^b: in: 0 255 out: %from_b 0 255
; LIVE: ^a: in: 0 255 out: 0 255
; LIVE-LABEL: Liveness for function 'self':
; LIVE: ^spin: in: %n out: %n

; Pointers need two registers; predicates need none of these and constants none at all.
; RPA-LABEL: Register pressure for function 'loop':
; RPA: maximum: pred=1 b16=0 b32=3 b64=2 b128=0 registers=5
; RPA: ^entry: b32=2 b64=1 registers=4 in=3 out=4
; RPA: ^head: pred=1 b32=3 b64=1 registers=5 in=5 out=5
; RPA: ^end: none registers=0 in=0 out=0
; RPA-LABEL: Register pressure for function 'irreducible':
; RPA: ^b: pred=1 b32=1 registers=1 in=1 out=1

; Blocks at which a definition needs block arguments: headers of loops, joins, all entries of a cycle.
; MERGE-LABEL: Merge sets for function 'loop':
; MERGE: ^entry: -
; MERGE: ^head: ^head
; MERGE: ^high: ^end
; MERGE-LABEL: Merge sets for function 'irreducible':
; MERGE: ^entry: -
; MERGE: ^b: ^a ^b
; MERGE: ^a: ^a ^b
; MERGE: ^out: -
; MERGE-LABEL: Merge sets for function 'self':
; MERGE: ^spin: ^spin

; tid.x is less than 1024 in every launch.
; BITS-LABEL: Known bits and ranges for function 'loop':
; BITS: %t bits: 0000000000000000000000?????????? range: [0, 1024)
; BITS: %low bits: 0000000000000000000000000000???? range: [0, 16)
; BITS: %next bits: ???????????????????????????????? range: [1, 4294967296)
; BITS-LABEL: Known bits and ranges for function 'irreducible':
; BITS: %from_b bits: ???????????????????????????????? range: full
; BITS: %byte bits: 000000000000000000000000???????? range: [0, 256)

; The mask demands only four bits.
; DEMAND-LABEL: Demanded bits for function 'loop':
; DEMAND: DemandedBits: 0xf for %t = nvvm.read.ptx.sreg.tid.x
; DEMAND: DemandedBits: 0xffffffff for %low = llvm.and
; DEMAND: DemandedBits: 0x1 for %big = llvm.icmp
; DEMAND-LABEL: Demanded bits for function 'irreducible':
; DEMAND: DemandedBits: 0x1 for %more = llvm.icmp

; A branch constrains the compared value in the blocks that it dominates, also through cycles of two entries.
; LVI-LABEL: LVI for function 'loop':
; LVI: ^done:
; LVI: %low: [0, 16)
; LVI: ^high:
; LVI: %low: [8, 16)
; LVI: %wide: [8, 16)
; LVI-LABEL: LVI for function 'irreducible':
; LVI: ^b:
; LVI: %from_b: full
; LVI: ^out:
; LVI: %from_b: [1, 4294967296)

; All threads leave the loop together; the result of a branch on tid.x is divergent. Arguments of a device
; function may be divergent.
; DIV-LABEL: UniformityInfo for function 'loop':
; DIV: DIVERGENT: %t = nvvm.read.ptx.sreg.tid.x
; DIV-NOT: DIVERGENT: %next
; DIV-NOT: DIVERGENT: %go
; DIV: DIVERGENT: %big = llvm.icmp
; DIV: DIVERGENT: llvm.cond_br
; DIV: DIVERGENT: %wide = llvm.zext
; DIV-LABEL: UniformityInfo for function 'irreducible':
; DIV: DIVERGENT: %from_b
; DIV: DIVERGENT: %from_a
; DIV-LABEL: UniformityInfo for function 'self':
; DIV: DIVERGENT: llvm.switch

; b = 1/2 + a and a = 1/2 + 3/8 b, where comparisons with zero are true with probability 3/8.
; FREQ-LABEL: block-frequency-info for function 'loop':
; FREQ: - ^head: float = 32
; FREQ: - ^done: float = 1
; FREQ: - ^high: float = 0.5
; FREQ-LABEL: block-frequency-info for function 'irreducible':
; FREQ: - ^b: float = 1.6
; FREQ: - ^a: float = 1.1
; FREQ: - ^out: float = 1
; FREQ-LABEL: block-frequency-info for function 'self':
; FREQ: - ^spin: float = 32
; FREQ: - ^out: float = 1

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @loop(ptr addrspace(1) %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %t, 15
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %next = add nuw nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %head, label %done
done:
  %big = icmp ugt i32 %low, 7
  br i1 %big, label %high, label %end
high:
  %wide = zext i32 %low to i64
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store i32 %next, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

define i32 @irreducible(i1 %c, i32 %x) {
entry:
  br i1 %c, label %a, label %b
a:
  %from_a = phi i32 [ %x, %entry ], [ %from_b, %b ]
  br label %b
b:
  %from_b = phi i32 [ 1, %entry ], [ %from_a, %a ]
  %more = icmp eq i32 %from_b, 0
  br i1 %more, label %a, label %out
out:
  %byte = and i32 %from_b, 255
  ret i32 %byte
}

define void @self(i32 %n) {
entry:
  br label %spin
spin:
  switch i32 %n, label %spin [ i32 1, label %out
                               i32 2, label %out
                               i32 3, label %spin ]
out:
  ret void
}
