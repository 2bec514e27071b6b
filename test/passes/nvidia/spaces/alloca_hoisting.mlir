// RUN: nvvm-opt %s -p alloca-hoisting | filecheck %s
// RUN: xdsl-opt %s -p alloca-hoisting | filecheck %s

llvm.func @use(!llvm.ptr)

// CHECK-LABEL: llvm.func @branch
// CHECK-NEXT:    %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    %p = llvm.alloca %[[ONE]] x i64
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.call @use(%p)
llvm.func @branch(%c: i1) {
  llvm.cond_br %c, ^then, ^done
^then:
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.br ^done
^done:
  llvm.return
}

// The size is only known at run time.
// CHECK-LABEL: llvm.func @dynamic
// CHECK-NEXT:    llvm.cond_br
// CHECK:         llvm.alloca %n x i64
llvm.func @dynamic(%c: i1, %n: i32) {
  llvm.cond_br %c, ^then, ^done
^then:
  %p = llvm.alloca %n x i64 : (i32) -> !llvm.ptr
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.br ^done
^done:
  llvm.return
}

// In a loop: a slot with only loads and stores may be the same memory in each iteration; an escaping one must
// be new.
// CHECK-LABEL: llvm.func @loop
// CHECK-NEXT:    %one = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    %p = llvm.alloca %one x i32
// CHECK-NEXT:    llvm.br ^loop
// CHECK-NEXT:  ^loop:
// CHECK-NEXT:    %q = llvm.alloca %one x i32
// CHECK-NEXT:    llvm.store %x, %p
llvm.func @loop(%x: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop
^loop:
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %q = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %p : i32, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.call @use(%q) : (!llvm.ptr) -> ()
  %c = llvm.icmp "eq" %v, %one : i32
  llvm.cond_br %c, ^loop, ^done
^done:
  llvm.return
}
