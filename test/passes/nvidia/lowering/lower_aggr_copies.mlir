// RUN: nvvm-opt %s -p 'lower-aggr-copies' | filecheck %s --check-prefixes=CHECK,PLAIN
// RUN: nvvm-opt %s -p 'lower-aggr-copies<lower-aggr-func-args>' | filecheck %s --check-prefixes=CHECK,ARGS
// RUN: nvvm-opt %s -p 'lower-aggr-copies<max-aggr-copy-size=16;lower-aggr-unrolled-stores-limit=2;large-aggr-store-limit=1>' | filecheck %s --check-prefix=SMALL
// RUN: xdsl-opt %s -p 'lower-aggr-copies{lower-aggr-func-args}' | filecheck %s --check-prefixes=CHECK,ARGS

#domain = #llvm.alias_scope_domain<id = "d", description = "f">
#scope = #llvm.alias_scope<id = "p", domain = #domain, description = "p">

// As wide as the alignment allows, and narrower for the rest.
// CHECK-LABEL: llvm.func @wide
// CHECK:         %[[A:.*]] = llvm.load %s {alignment = 16 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK:         %[[S:.*]] = llvm.getelementptr inbounds %s[16]
// CHECK-NEXT:    %[[B:.*]] = llvm.load %[[S]] {alignment = 16 : i64} : !llvm.ptr -> i16
// CHECK:         %[[T:.*]] = llvm.getelementptr inbounds %s[18]
// CHECK-NEXT:    %[[C:.*]] = llvm.load %[[T]] {alignment = 2 : i64} : !llvm.ptr -> i8
// CHECK:         llvm.store %[[A]], %d {alignment = 16 : i64} : vector<4xi32>
// CHECK:         llvm.store %[[B]], %{{.*}} {alignment = 16 : i64} : i16
// CHECK:         llvm.store %[[C]], %{{.*}} {alignment = 2 : i64} : i8
// CHECK-NEXT:    llvm.return
// SMALL-LABEL: llvm.func @wide
// SMALL:       ^forward.for(%
llvm.func @wide(%d: !llvm.ptr, %s: !llvm.ptr) {
  %n = llvm.mlir.constant(19 : i64) : i64
  "llvm.intr.memcpy"(%d, %s, %n) <{isVolatile = false, arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 16 : i64}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// The alignment is the smaller one of the two; metadata is kept on each access.
// CHECK-LABEL: llvm.func @narrow
// CHECK:         llvm.load %s {alignment = 4 : i64, alias_scopes = [#{{.*}}]} : !llvm.ptr<1> -> i32
// CHECK:         llvm.load {{.*}} -> i32
// CHECK:         llvm.store {{.*}}alias_scopes = [#{{.*}}]} : i32, !llvm.ptr<5>
// CHECK:         llvm.store {{.*}} : i32, !llvm.ptr<5>
llvm.func @narrow(%s: !llvm.ptr<1>) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.mlir.constant(8 : i64) : i64
  %d = llvm.alloca %one x !llvm.array<2 x i32> {alignment = 16 : i64} : (i32) -> !llvm.ptr<5>
  "llvm.intr.memcpy"(%d, %s, %n) <{isVolatile = false, alias_scopes = [#scope], arg_attrs = [{}, {llvm.align = 4 : i64}, {}]}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  llvm.return
}

// Sixteen stores are written out, seventeen become a loop; so do more than 128 bytes.
// CHECK-LABEL: llvm.func @sixteen
// CHECK-NOT:     llvm.br
// CHECK:         llvm.return
llvm.func @sixteen(%d: !llvm.ptr, %s: !llvm.ptr) {
  %n = llvm.mlir.constant(16 : i64) : i64
  "llvm.intr.memcpy"(%d, %s, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @seventeen
// CHECK:         llvm.br ^forward.for(%{{.*}})
// CHECK:       ^forward.for(%[[I:.*]]: i64):
// CHECK-NEXT:    %[[S:.*]] = llvm.getelementptr inbounds %s[%[[I]]]
// CHECK-NEXT:    %[[D:.*]] = llvm.getelementptr inbounds %d[%[[I]]]
// CHECK-NEXT:    %[[V:.*]] = llvm.load %[[S]] {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK-NEXT:    llvm.store %[[V]], %[[D]] {alignment = 1 : i64} : i8
// CHECK-NEXT:    %[[N:.*]] = llvm.add %[[I]], %{{.*}} : i64
// CHECK-NEXT:    %[[C:.*]] = llvm.icmp "ult" %[[N]], %{{.*}} : i64
// CHECK-NEXT:    llvm.cond_br %[[C]], ^forward.for(%[[N]] : i64), ^{{.*}}
llvm.func @seventeen(%d: !llvm.ptr, %s: !llvm.ptr) {
  %n = llvm.mlir.constant(17 : i64) : i64
  "llvm.intr.memcpy"(%d, %s, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @at_the_limit
// CHECK-NOT:     llvm.br
// CHECK-LABEL: llvm.func @past_the_limit
// CHECK:       ^forward.for(%
// CHECK:         llvm.load {{.*}} -> vector<4xi32>
// CHECK:         llvm.cond_br
// CHECK:         llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> i8
// CHECK:         llvm.return
llvm.func @at_the_limit(%d: !llvm.ptr, %s: !llvm.ptr) {
  %n = llvm.mlir.constant(128 : i64) : i64
  "llvm.intr.memcpy"(%d, %s, %n) <{isVolatile = false, arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 16 : i64}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}
llvm.func @past_the_limit(%d: !llvm.ptr, %s: !llvm.ptr) {
  %n = llvm.mlir.constant(129 : i64) : i64
  "llvm.intr.memcpy"(%d, %s, %n) <{isVolatile = false, arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 16 : i64}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// Unknown length: wide steps while possible, then bytes, with no iteration for an empty copy.
// CHECK-LABEL: llvm.func @unknown
// CHECK:         %[[N:.*]] = llvm.zext %n : i32 to i64
// CHECK:         %[[W:.*]] = llvm.and %[[N]], %{{.*}} : i64
// CHECK:         %[[Z:.*]] = llvm.icmp "ne" %[[W]], %{{.*}} : i64
// CHECK:         llvm.cond_br %[[Z]], ^forward.for(%{{.*}} : i64), ^split
// CHECK:         llvm.load volatile {{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> i64
// CHECK-NEXT:    llvm.store volatile {{.*}} : i64, !llvm.ptr<1>
// CHECK:       ^split:
// CHECK:         %[[R:.*]] = llvm.and %[[N]], %{{.*}} : i64
// CHECK:         llvm.load volatile {{.*}} {alignment = 1 : i64} : !llvm.ptr<3> -> i8
// CHECK-NEXT:    llvm.store volatile {{.*}} : i8, !llvm.ptr<1>
// CHECK-NOT:     ^reverse.for
// CHECK:         llvm.return
llvm.func @unknown(%d: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) {
  "llvm.intr.memmove"(%d, %s, %n) <{isVolatile = true, arg_attrs = [{llvm.align = 8 : i64}, {llvm.align = 16 : i64}, {}]}> : (!llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
  llvm.return
}

// If the ranges may overlap, all loads precede all stores.
// CHECK-LABEL: llvm.func @overlap
// CHECK:         llvm.load %s
// CHECK:         %src.memmove.gep.unroll = llvm.getelementptr
// CHECK-NEXT:    llvm.load %src.memmove.gep.unroll
// CHECK:         llvm.store {{.*}}, %d
// CHECK:         %dst.memmove.gep.unroll = llvm.getelementptr
// CHECK-NEXT:    llvm.store {{.*}}, %dst.memmove.gep.unroll
llvm.func @overlap(%d: !llvm.ptr, %s: !llvm.ptr) {
  %n = llvm.mlir.constant(16 : i64) : i64
  "llvm.intr.memmove"(%d, %s, %n) <{isVolatile = false, arg_attrs = [{llvm.align = 8 : i64}, {llvm.align = 8 : i64}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @directions
// CHECK:         %[[G:.*]] = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:    %[[B:.*]] = llvm.icmp "ult" %d, %[[G]] : !llvm.ptr
// CHECK-NEXT:    llvm.cond_br %[[B]], ^forward.for, ^reverse.for
// CHECK:       ^forward.for:
// CHECK:         llvm.load {{.*}} -> i32
// CHECK:         llvm.br ^nonzerotrip
// CHECK:       ^reverse.for:
// CHECK:         %[[J:.*]] = llvm.sub
// CHECK:         llvm.br ^nonzerotrip
llvm.func @directions(%d: !llvm.ptr, %s: !llvm.ptr<3>) {
  %n = llvm.mlir.constant(400 : i64) : i64
  "llvm.intr.memmove"(%d, %s, %n) <{isVolatile = false, arg_attrs = [{llvm.align = 4 : i64}, {llvm.align = 4 : i64}, {}]}> : (!llvm.ptr, !llvm.ptr<3>, i64) -> ()
  llvm.return
}

// Within one object the distance determines the direction.
// CHECK-LABEL: llvm.func @one_object
// CHECK-NOT:     llvm.icmp "ult" %{{.*}}, %p : !llvm.ptr
// CHECK:       ^reverse.for
// CHECK-NOT:   ^forward.for
// CHECK:         llvm.return
llvm.func @one_object(%p: !llvm.ptr) {
  %n = llvm.mlir.constant(400 : i64) : i64
  %q = llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, i8
  "llvm.intr.memmove"(%q, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @fill
// CHECK-DAG:     %[[K:.*]] = llvm.mlir.constant(dense<117901063> : vector<4xi32>) : vector<4xi32>
// CHECK:         llvm.store %[[K]], %d {alignment = 16 : i64} : vector<4xi32>
// CHECK:         %[[X:.*]] = llvm.zext %b : i8 to i64
// CHECK-NEXT:    %[[M:.*]] = llvm.mul %[[X]], %{{.*}} : i64
// CHECK-NEXT:    llvm.store volatile %[[M]], %e {alignment = 8 : i64} : i64
llvm.func @fill(%d: !llvm.ptr, %e: !llvm.ptr, %b: i8) {
  %seven = llvm.mlir.constant(7 : i8) : i8
  %n = llvm.mlir.constant(16 : i64) : i64
  %m = llvm.mlir.constant(8 : i64) : i64
  "llvm.intr.memset"(%d, %seven, %n) <{isVolatile = false, arg_attrs = [{llvm.align = 16 : i64}, {}, {}]}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memset"(%e, %b, %m) <{isVolatile = true, arg_attrs = [{llvm.align = 8 : i64}, {}, {}]}> : (!llvm.ptr, i8, i64) -> ()
  llvm.return
}

// Accesses of local arrays of 4-byte elements have elements of that size.
// CHECK-LABEL: llvm.func @words
// CHECK-DAG:     %[[ZERO:.*]] = llvm.mlir.zero : vector<2xi32>
// CHECK-DAG:     %[[SEVEN:.*]] = llvm.mlir.constant(dense<117901063> : vector<2xi32>) : vector<2xi32>
// CHECK:         %[[A:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x array<1 x f32>>
// CHECK:         llvm.store %[[ZERO]], %[[A]] {alignment = 8 : i64} : vector<2xi32>
// CHECK-NEXT:    llvm.store %[[SEVEN]], %[[A]] {alignment = 8 : i64} : vector<2xi32>
// CHECK:         %[[LOW:.*]] = llvm.insertelement %[[WORD:.*]], %{{.*}} : vector<2xi32>
// CHECK-NEXT:    %[[V:.*]] = llvm.insertelement %[[WORD]], %[[LOW]][%one : i32] : vector<2xi32>
// CHECK-NEXT:    llvm.store %[[V]], %[[A]] {alignment = 8 : i64} : vector<2xi32>
// CHECK-NEXT:    %[[IN:.*]] = llvm.load %s {alignment = 8 : i64} : !llvm.ptr -> vector<2xi32>
// CHECK-NEXT:    llvm.store %[[IN]], %[[A]] {alignment = 8 : i64} : vector<2xi32>
// CHECK-NEXT:    %[[OUT:.*]] = llvm.load %[[A]] {alignment = 8 : i64} : !llvm.ptr -> vector<2xi32>
// CHECK-NEXT:    llvm.store %[[OUT]], %s {alignment = 8 : i64} : vector<2xi32>
llvm.func @words(%s: !llvm.ptr, %b: i8) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<2 x array<1 x f32>> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %zero = llvm.mlir.constant(0 : i8) : i8
  %seven = llvm.mlir.constant(7 : i8) : i8
  %n = llvm.mlir.constant(8 : i64) : i64
  "llvm.intr.memset"(%a, %zero, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memset"(%a, %seven, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memset"(%a, %b, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memcpy"(%a, %s, %n) <{isVolatile = false, arg_attrs = [{}, {llvm.align = 8 : i64}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%s, %a, %n) <{isVolatile = false, arg_attrs = [{llvm.align = 8 : i64}, {}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// Other local arrays do not.
// CHECK-LABEL: llvm.func @doubles
// CHECK:         %[[ZERO:.*]] = llvm.mlir.constant(0 : i64) : i64
// CHECK:         llvm.store %[[ZERO]], %{{.*}} {alignment = 8 : i64} : i64
llvm.func @doubles() {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<1 x f64> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %zero = llvm.mlir.constant(0 : i8) : i8
  %n = llvm.mlir.constant(8 : i64) : i64
  "llvm.intr.memset"(%a, %zero, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @nothing
// CHECK-NOT:     memset
// CHECK:         llvm.return
llvm.func @nothing(%d: !llvm.ptr, %b: i8) {
  %n = llvm.mlir.constant(0 : i64) : i64
  "llvm.intr.memset"(%d, %b, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.return
}

// A slot after the copy remains in the entry block.
// CHECK-LABEL: llvm.func @slots
// CHECK:         llvm.alloca
// CHECK:         llvm.cond_br
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.return
llvm.func @slots(%d: !llvm.ptr, %s: !llvm.ptr, %n: i64) {
  "llvm.intr.memcpy"(%d, %s, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %one = llvm.mlir.constant(1 : i32) : i32
  %u = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %one, %u : i32, !llvm.ptr
  llvm.return
}

// An aggregate that is loaded and stored is copied as a block.
// CHECK-LABEL: llvm.func @copied
// CHECK:         %[[X:.*]] = llvm.load %s {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK-NEXT:    llvm.store %[[X]], %d {alignment = 8 : i64} : i64
// CHECK-NEXT:    llvm.return
llvm.func @copied(%d: !llvm.ptr, %s: !llvm.ptr) {
  %x = llvm.load %s {alignment = 8 : i64} : !llvm.ptr -> !llvm.struct<(i32, f32)>
  llvm.store %x, %d {alignment = 8 : i64} : !llvm.struct<(i32, f32)>, !llvm.ptr
  llvm.return
}

// Not across a store: there its fields are loaded at the position of the load; nor with its padding.
// CHECK-LABEL: llvm.func @written
// CHECK:         %[[A:.*]] = llvm.load %s {{.*}} -> i32
// CHECK:         %[[B:.*]] = llvm.load {{.*}} -> f32
// CHECK:         llvm.store %v, %s
// CHECK:         llvm.store %[[A]], %d
// CHECK:         llvm.store %[[B]], %{{.*}}
// CHECK-LABEL: llvm.func @padded
// CHECK:         llvm.load %s {{.*}} -> i8
// CHECK:         llvm.load {{.*}} -> i32
// SMALL-LABEL: llvm.func @written
// SMALL:         llvm.load %s {{.*}} -> !llvm.struct<(i32, f32)>
llvm.func @written(%d: !llvm.ptr, %s: !llvm.ptr, %v: i32) {
  %x = llvm.load %s : !llvm.ptr -> !llvm.struct<(i32, f32)>
  llvm.store %v, %s : i32, !llvm.ptr
  llvm.store %x, %d : !llvm.struct<(i32, f32)>, !llvm.ptr
  llvm.return
}
llvm.func @padded(%d: !llvm.ptr, %s: !llvm.ptr) {
  %x = llvm.load %s {alignment = 8 : i64} : !llvm.ptr -> !llvm.struct<(i8, i32)>
  llvm.store %x, %d {alignment = 8 : i64} : !llvm.struct<(i8, i32)>, !llvm.ptr
  llvm.return
}

// Fields of one type become vectors if they are aligned.
// CHECK-LABEL: llvm.func @parts
// CHECK:         %[[V:.*]] = llvm.load %s {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK:         %y = llvm.extractelement %[[V]]
// CHECK:         llvm.return %y
llvm.func @parts(%s: !llvm.ptr) -> f32 {
  %x = llvm.load %s {alignment = 16 : i64} : !llvm.ptr -> !llvm.struct<(array<2 x f32>, struct<(f32, f32)>)>
  %y = llvm.extractvalue %x[1, 0] : !llvm.struct<(array<2 x f32>, struct<(f32, f32)>)>
  llvm.return %y : f32
}

// CHECK-LABEL: llvm.func @built
// CHECK-NOT:     insertvalue
// CHECK:         llvm.store %a, %d {alignment = 4 : i64} : i32
// CHECK:         llvm.store %b, %{{.*}} {alignment = 4 : i64} : f32
// CHECK-NEXT:    llvm.return
llvm.func @built(%d: !llvm.ptr, %a: i32, %b: f32) {
  %u = llvm.mlir.undef : !llvm.struct<(i32, f32)>
  %x = llvm.insertvalue %a, %u[0] : !llvm.struct<(i32, f32)>
  %y = llvm.insertvalue %b, %x[1] : !llvm.struct<(i32, f32)>
  llvm.store %y, %d : !llvm.struct<(i32, f32)>, !llvm.ptr
  llvm.return
}

// Zeros become a fill; a volatile access is kept.
// CHECK-LABEL: llvm.func @zeros
// CHECK:       ^memset.for
// CHECK:         llvm.store volatile %{{.*}}, %d : !llvm.array<100 x f32>
llvm.func @zeros(%d: !llvm.ptr) {
  %z = llvm.mlir.zero : !llvm.array<100 x f32>
  llvm.store %z, %d : !llvm.array<100 x f32>, !llvm.ptr
  llvm.store volatile %z, %d : !llvm.array<100 x f32>, !llvm.ptr
  llvm.return
}

// An aggregate argument is split if the option is set.
// CHECK-LABEL: llvm.func @passed
// PLAIN:         %x = llvm.load %s
// PLAIN-NEXT:    llvm.call @take(%x)
// ARGS:          llvm.load %s {{.*}} -> i32
// ARGS:          llvm.insertvalue
// ARGS:          llvm.call @take
llvm.func @take(!llvm.struct<(i32, f32)>)
llvm.func @passed(%s: !llvm.ptr) {
  %x = llvm.load %s : !llvm.ptr -> !llvm.struct<(i32, f32)>
  llvm.call @take(%x) : (!llvm.struct<(i32, f32)>) -> ()
  llvm.return
}
