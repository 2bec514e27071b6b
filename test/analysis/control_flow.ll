; RUN: nvvm-opt %s -p 'print<domtree>,print<postdomtree>,print<loops>,print<domfrontier>' -o /dev/null 2>&1 | filecheck %s
; RUN: nvvm-opt %s -p 'print<branch-prob>' -o /dev/null 2>&1 | filecheck %s --check-prefix=PROB

target triple = "nvptx64-nvidia-cuda"

; %dead is unreachable and in no tree.
; CHECK-LABEL: DominatorTree for function 'unreachable_code':
; CHECK-NEXT:    [1] ^entry
; CHECK-NEXT:      [2] ^end
; CHECK-NEXT:  PostDominatorTree
; CHECK-NEXT:    [1] virtual exit
; CHECK-NEXT:      [2] ^end
; CHECK-NEXT:        [3] ^entry
define void @unreachable_code() {
entry:
  br label %end
dead:
  br label %end
end:
  ret void
}

; A loop without an exit: the exit block is not reachable from it.
; CHECK-LABEL: DominatorTree for function 'infinite_loop':
; CHECK-NEXT:    [1] ^entry
; CHECK-DAG:       [2] ^spin
; CHECK-DAG:       [2] ^end
; CHECK:       Loop info for function 'infinite_loop':
; CHECK-NEXT:  Loop at depth 1 containing: ^spin<header><latch>{{$}}
define void @infinite_loop(i1 %c) {
entry:
  br i1 %c, label %spin, label %end
spin:
  br label %spin
end:
  ret void
}

; CHECK-LABEL: DominatorTree for function 'irreducible':
; CHECK-NEXT:    [1] ^entry
; CHECK-DAG:       [2] ^a
; CHECK-DAG:       [2] ^b
; CHECK-DAG:       [2] ^end
; CHECK:       Loop info for function 'irreducible':
; CHECK-NEXT:  Irreducible cycle entered at: {{\^a,\^b|\^b,\^a}} containing: {{\^a,\^b|\^b,\^a}}{{$}}
define void @irreducible(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %end
b:
  br i1 %d, label %a, label %end
end:
  ret void
}

; CHECK-LABEL: DominatorTree for function 'self_loop':
; CHECK-NEXT:    [1] ^entry
; CHECK-NEXT:      [2] ^self
; CHECK-NEXT:        [3] ^end
; CHECK:       Loop info for function 'self_loop':
; CHECK-NEXT:  Loop at depth 1 containing: ^self<header><latch><exiting>
; CHECK:       DomFrontier for ^self is: ^self{{$}}
define void @self_loop(i1 %c) {
entry:
  br label %self
self:
  br i1 %c, label %self, label %end
end:
  ret void
}

; Three of the four edges of the switch have the same target.
; CHECK-LABEL: DominatorTree for function 'repeated_edges':
; CHECK-NEXT:    [1] ^entry
; CHECK-DAG:       [2] ^one
; CHECK-DAG:       [2] ^end
; CHECK:       PostDominatorTree for function 'repeated_edges':
; CHECK-NEXT:    [1] virtual exit
; CHECK-NEXT:      [2] ^end
; CHECK-DAG:         [3] ^entry
; CHECK-DAG:         [3] ^one
; PROB-LABEL:  results of BPI for function 'repeated_edges':
; PROB-COUNT-3:  edge ^entry -> ^one probability is 0x20000000 / 0x80000000 = 25.00%
; PROB:          edge ^one -> ^end probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
define void @repeated_edges(i32 %n) {
entry:
  switch i32 %n, label %end [ i32 0, label %one
                              i32 1, label %one
                              i32 2, label %one ]
one:
  br label %end
end:
  ret void
}
