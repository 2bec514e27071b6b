// RUN: nvvm-opt %s -p 'local-memory-remarks' --remarks %t.yaml | filecheck %s
// RUN: cat %t.yaml | filecheck %s --check-prefix=YAML
// RUN: nvvm-opt %s -p 'sroa,local-memory-remarks' --remarks %t.split.yaml
// RUN: cat %t.split.yaml | filecheck %s --check-prefix=SPLIT

llvm.func @takes(!llvm.ptr)
llvm.func @asks() -> i32

// The pass changes nothing.
// CHECK-LABEL: llvm.func @indexed
// CHECK:         %bins = llvm.alloca

// YAML:      --- !Missed
// YAML-NEXT: Pass:            local-memory-remarks
// YAML-NEXT: Name:            LocalMemory
// YAML-NEXT: DebugLoc:        { File: k.cu, Line: 7, Column: 9 }
// YAML-NEXT: Function:        indexed
// YAML-NEXT: Args:
// YAML-NEXT:   - Variable:        'array ''bins'' of 64 bytes'
// YAML-NEXT:   - String:          ' stays in local memory'
// YAML-NEXT:   - Reasons:         ': it is indexed by a value %i that is not constant, at k.cu:9:5'
llvm.func @indexed(%i: i64) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %bins = llvm.alloca %one x !llvm.array<16 x i32> : (i32) -> !llvm.ptr loc("k.cu":7:9)
  %p = llvm.getelementptr %bins[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x i32> loc("k.cu":9:5)
  %x = llvm.load %p : !llvm.ptr -> i32
  llvm.return %x : i32
}

// Each reason with its location; many are counted.
// YAML:      Function:        given_away
// YAML:        - Variable:        'struct ''pair'' of 8 bytes'
// YAML:        - Reasons:         ': its address is passed to @takes, at k.cu:20:3'
// YAML:      Function:        everything
// YAML:        - Variable:        'array without a name, !llvm.array<4 x i32>, of 16 bytes'
// YAML:        - Reasons:         ': its address is one of several that are chosen from, at {{[^;]*}}.mlir:49:3; its address is stored to memory, at {{[^;]*}}; its address is taken as an integer, at {{[^;]*}}; it is accessed as volatile, at {{[^;]*}}; and for 2 more reasons'
// YAML:      Function:        sized
// YAML:        - Variable:        'array ''buffer'''
// YAML:        - Reasons:         ': its size is not constant, at {{.*}}'
llvm.func @given_away() {
  %one = llvm.mlir.constant(1 : i32) : i32
  %pair = llvm.alloca %one x !llvm.struct<(i32, i32)> : (i32) -> !llvm.ptr
  llvm.call @takes(%pair) : (!llvm.ptr) -> () loc("k.cu":20:3)
  llvm.return
}
llvm.func @everything(%c: i1, %q: !llvm.ptr, %n: i64) -> !llvm.ptr {
  %one = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %s = llvm.select %c, %0, %q : i1, !llvm.ptr
  llvm.store %0, %q : !llvm.ptr, !llvm.ptr
  %1 = llvm.ptrtoint %0 : !llvm.ptr to i64
  %2 = llvm.load volatile %0 : !llvm.ptr -> i32
  "llvm.intr.memcpy"(%0, %q, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return %0 : !llvm.ptr
}
llvm.func @sized(%n: i32) {
  %buffer = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  llvm.return
}

// A scalar with only loads and stores is not reported, and neither is an array at known offsets that can be
// split.
// YAML-NOT:  Function:        scalar
// YAML:      Function:        known
// YAML:        - Variable:        'array ''few'' of 8 bytes'
// YAML:        - Reasons:         ''
// SPLIT-NOT: 'array ''few''
llvm.func @scalar(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %s : i32, !llvm.ptr
  %y = llvm.load %s : !llvm.ptr -> i32
  llvm.return %y : i32
}
llvm.func @known(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %few = llvm.alloca %one x !llvm.array<2 x i32> : (i32) -> !llvm.ptr
  %p = llvm.getelementptr %few[1] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.store %x, %few : i32, !llvm.ptr
  llvm.store %x, %p : i32, !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> i32
  llvm.return %y : i32
}
