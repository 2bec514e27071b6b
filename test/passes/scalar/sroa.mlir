// RUN: nvvm-opt %s -p 'sroa' | filecheck %s

// A copied struct: each field is loaded in place, the padding with them.
// CHECK-LABEL: llvm.func @copied
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[F0:.*]] = llvm.load %source {alignment = 4 : i64} : !llvm.ptr -> i8
// CHECK:         %[[P1:.*]] = llvm.getelementptr inbounds %source[1]
// CHECK-NEXT:    %[[F1:.*]] = llvm.load %[[P1]] {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK:         %[[P2:.*]] = llvm.getelementptr inbounds %source[2]
// CHECK-NEXT:    %[[F2:.*]] = llvm.load %[[P2]] {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK:         %[[P4:.*]] = llvm.getelementptr inbounds %source[4]
// CHECK-NEXT:    %[[F4:.*]] = llvm.load %[[P4]] {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK:         llvm.store %[[F0]], %target
// CHECK:         llvm.store %[[F1]],
// CHECK:         llvm.store %[[F2]],
// CHECK:         llvm.store %[[F4]],
// CHECK:         llvm.return %[[F4]]
llvm.func @copied(%source: !llvm.ptr, %target: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %size = llvm.mlir.constant(8 : i64) : i64
  %p = llvm.alloca %one x !llvm.struct<(i8, i32)> {alignment = 4 : i64} : (i32) -> !llvm.ptr
  "llvm.intr.memcpy"(%p, %source, %size) <{isVolatile = false, arg_attrs = [{llvm.align = 4 : i64}, {llvm.align = 4 : i64}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %q = llvm.getelementptr %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i32)>
  %y = llvm.load %q : !llvm.ptr -> i32
  "llvm.intr.memcpy"(%target, %p, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return %y : i32
}

// An unread copy is removed: only the second field of the source is loaded.
// CHECK-LABEL: llvm.func @field
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[P:.*]] = llvm.getelementptr inbounds %source[4]
// CHECK-NEXT:    %[[Y:.*]] = llvm.load %[[P]]
// CHECK-NEXT:    llvm.return %[[Y]]
llvm.func @field(%source: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %size = llvm.mlir.constant(8 : i64) : i64
  %p = llvm.alloca %one x !llvm.struct<(i32, i32)> : (i32) -> !llvm.ptr
  "llvm.intr.memcpy"(%p, %source, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %q = llvm.getelementptr %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  %y = llvm.load %q : !llvm.ptr -> i32
  llvm.return %y : i32
}

// A vector and its elements.
// CHECK-LABEL: llvm.func @elements
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[V:.*]] = llvm.insertelement %x, %v[%{{.*}} : i64] : vector<2xf32>
// CHECK-NEXT:    llvm.return %[[V]]
llvm.func @elements(%v: vector<2xf32>, %x: f32) -> vector<2xf32> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x vector<2xf32> : (i32) -> !llvm.ptr
  llvm.store %v, %p : vector<2xf32>, !llvm.ptr
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.store %x, %q : f32, !llvm.ptr
  %r = llvm.load %p : !llvm.ptr -> vector<2xf32>
  llvm.return %r : vector<2xf32>
}

// Accesses of several sizes within 8 bytes become shifts and masks of one integer.
// CHECK-LABEL: llvm.func @bits
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[Z:.*]] = llvm.zext %y : i16 to i64
// CHECK:         %[[S:.*]] = llvm.shl %[[Z]], %{{.*}} : i64
// CHECK:         %[[K:.*]] = llvm.and %x, %{{.*}} : i64
// CHECK:         %[[O:.*]] = llvm.or %[[K]], %[[S]] : i64
// CHECK:         llvm.return %[[O]]
llvm.func @bits(%x: i64, %y: i16) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  llvm.store %x, %p : i64, !llvm.ptr
  %q = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %y, %q : i16, !llvm.ptr
  %r = llvm.load %p : !llvm.ptr -> i64
  llvm.return %r : i64
}

// A fill is a constant of each slice's type.
// CHECK-LABEL: llvm.func @filled
// CHECK:         %[[C:.*]] = llvm.mlir.constant(16843009 : i32)
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.return %[[C]]
llvm.func @filled() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %byte = llvm.mlir.constant(1 : i8) : i8
  %size = llvm.mlir.constant(8 : i64) : i64
  %p = llvm.alloca %one x !llvm.struct<(i32, i32)> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%p, %byte, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %y = llvm.load %p : !llvm.ptr -> i32
  llvm.return %y : i32
}

// Indexed at run time, passed to a call, or copied volatile: the slot stays.
// CHECK-LABEL: llvm.func @stays
// CHECK-COUNT-3: llvm.alloca
// CHECK:         "llvm.intr.memcpy"(%v, %source, %size) <{isVolatile = true}>
llvm.func @stays(%i: i64, %source: !llvm.ptr) -> f32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %size = llvm.mlir.constant(16 : i64) : i64
  %a = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  %c = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  %v = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  %q = llvm.getelementptr %a[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
  "llvm.intr.memcpy"(%v, %source, %size) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %y = llvm.call @field(%c) : (!llvm.ptr) -> i32
  %x = llvm.load %q : !llvm.ptr -> f32
  llvm.return %x : f32
}

// One element, also at an offset, is a value; the rest of the array is removed.
// CHECK-LABEL: llvm.func @one_element
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.return %x : i32
llvm.func @one_element(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %p = llvm.getelementptr %a[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.store %x, %p : i32, !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> i32
  llvm.return %y : i32
}

// A slot that stays in memory is reduced to the used bytes, at its original alignment.
// CHECK-LABEL: llvm.func @part
// CHECK:         %a = llvm.alloca %one x !llvm.array<6 x i8> {alignment = 4 : i64}
// CHECK-NEXT:    llvm.store %x, %a {alignment = 4 : i64}
// CHECK:         llvm.getelementptr inbounds %a[2]
// CHECK:         llvm.getelementptr inbounds %a[4]
// CHECK-NEXT:    llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr -> i8
llvm.func @part(%x: i32) -> i8 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<40 x i8> {alignment = 4 : i64} : (i32) -> !llvm.ptr
  %p = llvm.getelementptr %a[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %q = llvm.getelementptr %a[18] : (!llvm.ptr) -> !llvm.ptr, i8
  %r = llvm.getelementptr %a[20] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.store %x, %q {alignment = 2 : i64} : i32, !llvm.ptr
  %y = llvm.load %r : !llvm.ptr -> i8
  llvm.return %y : i8
}

// A slot that stays one range of bytes: each field of a stored value is stored separately.
// CHECK-LABEL: llvm.func @fields_read_across
// CHECK:         %p = llvm.alloca
// CHECK:         llvm.store %{{.*}}, %p {alignment = 4 : i64} : i32
// CHECK:         %[[SECOND:.*]] = llvm.getelementptr inbounds %p[4]
// CHECK-NEXT:    llvm.store %{{.*}}, %[[SECOND]] {alignment = 4 : i64} : i32
// CHECK:         %[[THIRD:.*]] = llvm.getelementptr inbounds %p[8]
// CHECK-NEXT:    llvm.store %{{.*}}, %[[THIRD]] {alignment = 4 : i64} : i32
llvm.func @fields_read_across(%v: !llvm.struct<(i32, i32, i32)>) -> i64 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %p = llvm.alloca %one x !llvm.struct<(i32, i32, i32)> : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %v, %p : !llvm.struct<(i32, i32, i32)>, !llvm.ptr
  %a = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i64
  %b = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> i64
  %c = llvm.add %a, %b : i64
  llvm.return %c : i64
}

// Fields extracted from a loaded value are the values themselves: no aggregate is assembled.
// CHECK-LABEL: llvm.func @fields_taken_out
// CHECK-NOT:     llvm.mlir.undef
// CHECK:         llvm.return
llvm.func @fields_taken_out(%v: !llvm.struct<(i32, i32)>, %x: f32) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %p = llvm.alloca %one x !llvm.struct<(i32, i32)> : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %v, %p : !llvm.struct<(i32, i32)>, !llvm.ptr
  %w = llvm.load %p : !llvm.ptr -> !llvm.struct<(i32, i32)>
  %f = llvm.load %q : !llvm.ptr -> f32
  %a = llvm.extractvalue %w[0] : !llvm.struct<(i32, i32)>
  %b = llvm.extractvalue %w[1] : !llvm.struct<(i32, i32)>
  %i = llvm.bitcast %f : f32 to i32
  %c = llvm.add %a, %b : i32
  %d = llvm.add %c, %i : i32
  llvm.return %d : i32
}

// A slice accessed as two types has the type of the previously computed address, not that of a struct's field.
// CHECK-LABEL: llvm.func @first_type
// CHECK:         llvm.bitcast {{.*}} : f32 to i32
// CHECK-NOT:     llvm.bitcast
llvm.func @first_type(%v: !llvm.struct<(i32, f32)>) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %p = llvm.alloca %one x !llvm.struct<(i32, f32)> : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %v, %p : !llvm.struct<(i32, f32)>, !llvm.ptr
  %a = llvm.load %q : !llvm.ptr -> i32
  %b = llvm.load %q : !llvm.ptr -> i32
  %c = llvm.add %a, %b : i32
  llvm.return %c : i32
}

// A slot of unknown size is not loaded instead of another.
// CHECK-LABEL: llvm.func @opaque
// CHECK:         llvm.load %p
llvm.func @opaque(%c: i1, %x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.struct<"o", opaque> : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %p = llvm.select %c, %a, %b : i1, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.return %v : i32
}
