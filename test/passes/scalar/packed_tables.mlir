// RUN: nvvm-opt %s -p memcpyopt --verify-each | filecheck %s

llvm.func @call(!llvm.ptr)

// The elements 0, 1, 0, 2 have two bits each. A later store to an element replaces an earlier one.
// CHECK-LABEL: llvm.func @bits(
// CHECK-DAG:     %[[K:.*]] = llvm.mlir.constant(132 : i32) : i32
// CHECK-DAG:     %[[MASK:.*]] = llvm.mlir.constant(3 : i32) : i32
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[A:.*]] = llvm.mul %i, %two : i32
// CHECK-NEXT:    %[[S:.*]] = llvm.lshr %[[K]], %[[A]] : i32
// CHECK-NEXT:    %[[V:.*]] = llvm.and %[[S]], %[[MASK]] : i32
// CHECK-NEXT:    llvm.return %[[V]]
llvm.func @bits(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %t3 = llvm.getelementptr %t[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.store %one, %t3 : i32, !llvm.ptr
  llvm.store %two, %t3 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// Elements of one bit; another type of the index, and of the elements.
// CHECK-LABEL: llvm.func @truth(
// CHECK-DAG:     %[[K:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK:         %[[A:.*]] = llvm.trunc %j : i64 to i32
// CHECK-NEXT:    %[[S:.*]] = llvm.lshr %{{.*}}, %[[A]] : i32
// CHECK-NEXT:    %[[V:.*]] = llvm.and %[[S]], %one : i32
// CHECK-NEXT:    %[[W:.*]] = llvm.trunc %[[V]] : i32 to i8
// CHECK-NEXT:    %[[R:.*]] = llvm.zext %[[W]] : i8 to i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @truth(%j: i64) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(4 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i8> : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %t : !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %one8 = llvm.mlir.constant(1 : i8) : i8
  %t1 = llvm.getelementptr %t[1] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one8, %t1 : i8, !llvm.ptr
  llvm.br ^next
^next:
  %at = llvm.getelementptr inbounds %t[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %v = llvm.load %at : !llvm.ptr -> i8
  llvm.intr.lifetime.end %t : !llvm.ptr
  %w = llvm.zext %v : i8 to i32
  llvm.return %w : i32
}

// 64 bits, all of which are used.
// CHECK-LABEL: llvm.func @wide(
// CHECK-DAG:     %[[K:.*]] = llvm.mlir.constant(128 : i64) : i64
// CHECK:         %[[A:.*]] = llvm.mul %i, %{{.*}} : i32
// CHECK-NEXT:    %[[Z:.*]] = llvm.zext %[[A]] : i32 to i64
// CHECK-NEXT:    llvm.lshr %{{.*}}, %[[Z]] : i64
// CHECK-NOT:     llvm.load
llvm.func @wide(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(32 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t0 = llvm.getelementptr %t[0] : (!llvm.ptr) -> !llvm.ptr, i8
  %big = llvm.mlir.constant(128 : i32) : i32
  llvm.store %big, %t0 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<8 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The elements have too many bits.
// CHECK-LABEL: llvm.func @large(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @large(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(32 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %big = llvm.mlir.constant(256 : i32) : i32
  llvm.store %big, %t : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<8 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The fill is volatile.
// CHECK-LABEL: llvm.func @volatile_fill(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @volatile_fill(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = true}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The memory is not local.
// CHECK-LABEL: llvm.func @argument(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @argument(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%p, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %p[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// There are several arrays.
// CHECK-LABEL: llvm.func @several(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @several(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %two x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A part is filled.
// CHECK-LABEL: llvm.func @part(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @part(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(12 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The byte is not constant.
// CHECK-LABEL: llvm.func @byte(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @byte(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %b, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A stored value is not constant.
// CHECK-LABEL: llvm.func @value(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @value(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %i, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A store is to a part of an element.
// CHECK-LABEL: llvm.func @stored_type(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @stored_type(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %zero8, %t1 : i8, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A load is of a part of an element.
// CHECK-LABEL: llvm.func @loaded_type(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @loaded_type(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %w = llvm.load %at : !llvm.ptr -> i8
  %v = llvm.zext %w : i8 to i32
  llvm.return %v : i32
}

// A store is outside of the array.
// CHECK-LABEL: llvm.func @outside(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @outside(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[16] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A store is before the array.
// CHECK-LABEL: llvm.func @before(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @before(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[-4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A store is to two elements.
// CHECK-LABEL: llvm.func @unaligned(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @unaligned(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[2] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A store is volatile.
// CHECK-LABEL: llvm.func @volatile_store(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @volatile_store(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store volatile %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The load is volatile.
// CHECK-LABEL: llvm.func @volatile_load(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @volatile_load(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load volatile %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A store is to an unknown element.
// CHECK-LABEL: llvm.func @variable_store(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @variable_store(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.store %one, %at : i32, !llvm.ptr
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A function may write the array.
// CHECK-LABEL: llvm.func @escapes(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @escapes(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  llvm.call @call(%t) : (!llvm.ptr) -> ()
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The address is stored.
// CHECK-LABEL: llvm.func @stored_address(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @stored_address(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  llvm.store %t, %p : !llvm.ptr, !llvm.ptr
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The index counts bytes.
// CHECK-LABEL: llvm.func @bytes(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @bytes(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr %t[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The address has two indices.
// CHECK-LABEL: llvm.func @two_indices(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @two_indices(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr %t[%i, %i] : (!llvm.ptr, i32, i32) -> !llvm.ptr, !llvm.array<1 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The index has a constant part.
// CHECK-LABEL: llvm.func @offset(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @offset(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr %t[0, %i, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x array<4 x i8>>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The address is computed from that of an element.
// CHECK-LABEL: llvm.func @chain(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @chain(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  %at = llvm.getelementptr %t1[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A store is before the fill.
// CHECK-LABEL: llvm.func @store_first(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @store_first(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A store is in another block.
// CHECK-LABEL: llvm.func @store_elsewhere(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @store_elsewhere(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %u = llvm.add %i, %one : i32
  %w = llvm.add %u, %i : i32
  %x = llvm.add %w, %i : i32
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^x, ^y
^x:
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  llvm.br ^y
^y:
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}

// A load is before the last store.
// CHECK-LABEL: llvm.func @load_first(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @load_first(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  %t1 = llvm.getelementptr %t[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %t1 : i32, !llvm.ptr
  llvm.return %v : i32
}

// The elements are not integers.
// CHECK-LABEL: llvm.func @floats(
// CHECK:         llvm.intr.memset
// CHECK:         llvm.return
llvm.func @floats(%i: i32, %b: i8, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x f32>
  %f = llvm.load %at : !llvm.ptr -> f32
  %v = llvm.bitcast %f : f32 to i32
  llvm.return %v : i32
}

// The elements have no whole bytes.
// CHECK-LABEL: llvm.func @narrow(
// CHECK:         llvm.intr.memset
llvm.func @narrow(%i: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(0 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i4> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %at = llvm.getelementptr %t[1] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return
}

// The load is on a path without the fill.
// CHECK-LABEL: llvm.func @other_path(
// CHECK:         llvm.intr.memset
llvm.func @other_path(%i: i32, %c: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero8 = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  llvm.cond_br %c, ^fill, ^read
^fill:
  "llvm.intr.memset"(%t, %zero8, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^read
^read:
  %at = llvm.getelementptr inbounds %t[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %at : !llvm.ptr -> i32
  llvm.return %v : i32
}
