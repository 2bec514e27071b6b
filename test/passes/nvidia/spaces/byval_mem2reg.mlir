// RUN: nvvm-opt %s -p 'byval-mem2reg' | filecheck %s
// RUN: nvvm-opt %s -p 'byval-mem2reg,byval-mem2reg' | filecheck %s
// RUN: nvvm-opt %s -p 'memory-space-opt,byval-mem2reg,dce' | filecheck %s --check-prefix=LOCAL

!Pair = !llvm.struct<(f32, f32)>

// Each field is loaded once; a stored value is used afterwards.
// CHECK-LABEL: llvm.func @stored
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[A:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK:         %[[B:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK-NOT:     llvm.store
// CHECK:         %s = llvm.fadd %[[A]], %[[B]] : f32
// CHECK-NEXT:    llvm.cond_br %c, ^then, ^join(%[[A]] : f32)
// CHECK:       ^then:
// CHECK-NEXT:    llvm.br ^join(%s : f32)
// CHECK:       ^join(%[[P:.*]]: f32):
// CHECK-NEXT:    llvm.return %[[P]] : f32
// LOCAL-LABEL: llvm.func @stored
// LOCAL-NOT:     llvm.alloca
// LOCAL-NOT:     llvm.store
// LOCAL:       llvm.return
llvm.func @stored(%p: !llvm.ptr {llvm.align = 4 : i64, llvm.byval = !Pair}, %c: i1) -> f32 {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  %a = llvm.load %p : !llvm.ptr -> f32
  %b = llvm.load %q : !llvm.ptr -> f32
  %s = llvm.fadd %a, %b : f32
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %s, %p : f32, !llvm.ptr
  llvm.br ^join
^join:
  %r = llvm.load %p : !llvm.ptr -> f32
  llvm.return %r : f32
}

// Fields that are loaded together.
// CHECK-LABEL: llvm.func @overlapping
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.return
llvm.func @overlapping(%p: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !Pair}, %x: f32) -> i64 {
  llvm.store %x, %p : f32, !llvm.ptr
  %r = llvm.load %p : !llvm.ptr -> i64
  llvm.return %r : i64
}

// Memory that is only loaded stays; so does memory that is indexed, passed on, or volatile.
// CHECK-LABEL: llvm.func @read
// CHECK-NEXT:    llvm.load %p : !llvm.ptr -> f32
llvm.func @read(%p: !llvm.ptr {llvm.byval = !Pair}) -> f32 {
  %r = llvm.load %p : !llvm.ptr -> f32
  llvm.return %r : f32
}
// CHECK-LABEL: llvm.func @indexed
// CHECK-NEXT:    llvm.store %x, %p
// CHECK-NEXT:    llvm.getelementptr %p[%i]
llvm.func @indexed(%p: !llvm.ptr {llvm.byval = !Pair}, %x: f32, %i: i64) -> f32 {
  llvm.store %x, %p : f32, !llvm.ptr
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %r = llvm.load %q : !llvm.ptr -> f32
  llvm.return %r : f32
}
// CHECK-LABEL: llvm.func @passed_on
// CHECK-NEXT:    llvm.store %x, %p
// CHECK-NEXT:    llvm.call @takes(%p)
llvm.func @takes(!llvm.ptr)
llvm.func @passed_on(%p: !llvm.ptr {llvm.byval = !Pair}, %x: f32) {
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.call @takes(%p) : (!llvm.ptr) -> ()
  llvm.return
}
// CHECK-LABEL: llvm.func @volatile
// CHECK-NEXT:    llvm.store volatile %x, %p
llvm.func @volatile(%p: !llvm.ptr {llvm.byval = !Pair}, %x: f32) {
  llvm.store volatile %x, %p : f32, !llvm.ptr
  llvm.return
}
// Memory that is not passed by value is the caller's.
// CHECK-LABEL: llvm.func @by_address
// CHECK-NEXT:    llvm.store %x, %p
llvm.func @by_address(%p: !llvm.ptr, %x: f32) {
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.return
}

// A kernel's parameter is loaded in param space.
// CHECK-LABEL: llvm.func @kernel
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<101> -> f32
// CHECK-NOT:     llvm.store %x, %p
// CHECK:         llvm.store %{{.*}}, %out : f32, !llvm.ptr
llvm.func @kernel(%p: !llvm.ptr {llvm.align = 4 : i64, llvm.byval = !Pair}, %out: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
  %a = llvm.load %p : !llvm.ptr -> f32
  %b = llvm.fadd %a, %a : f32
  llvm.store %b, %p : f32, !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.store %x, %out : f32, !llvm.ptr
  llvm.return
}

// The loads of the fields have the stated alignment of the parameter, or that of its type.
// CHECK-LABEL: llvm.func @aligned
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<101> -> f32
// CHECK:         llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<101> -> f32
llvm.func @aligned(%p: !llvm.ptr {llvm.align = 16 : i64, llvm.byval = !Pair}, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  %a = llvm.load %p : !llvm.ptr -> f32
  %b = llvm.load %q : !llvm.ptr -> f32
  llvm.store %b, %p : f32, !llvm.ptr
  %c = llvm.load %p : !llvm.ptr -> f32
  %s = llvm.fadd %a, %c : f32
  llvm.store %s, %out : f32, !llvm.ptr<1>
  llvm.return
}
// CHECK-LABEL: llvm.func @unstated
// CHECK:         llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> f32
llvm.func @unstated(%p: !llvm.ptr {llvm.byval = !Pair}, %x: f32) -> f32 {
  %a = llvm.load %p : !llvm.ptr -> f32
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.return %a : f32
}
