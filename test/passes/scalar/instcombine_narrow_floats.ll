; RUN: nvvm-opt %s -p instcombine -o - | filecheck %s

; Double-precision operations on floats whose results are rounded to floats.
; CHECK-LABEL: llvm.func @quotient(
; CHECK:         [[by:%.*]] = llvm.mlir.constant(1.000000e+06 : f32) : f32
; CHECK-NEXT:    llvm.fdiv %x, [[by]] : f32
define float @quotient(float %x) {
  %e = fpext float %x to double
  %d = fdiv double %e, 1.0e6
  %t = fptrunc double %d to float
  ret float %t
}

; CHECK-LABEL: llvm.func @difference(
; CHECK:         [[one:%.*]] = llvm.mlir.constant(1.000000e+00 : f32) : f32
; CHECK-NEXT:    llvm.fsub [[one]], %x : f32
define float @difference(float %x) {
  %e = fpext float %x to double
  %d = fsub double 1.0, %e
  %t = fptrunc double %d to float
  ret float %t
}

; 0.1 is no float, 2^-130 is denormal, and the sum has another use.
; CHECK-LABEL: llvm.func @stay(
; CHECK:         llvm.fmul {{.*}} : f64
; CHECK:         llvm.fmul {{.*}} : f64
; CHECK:         llvm.fadd {{.*}} : f64
define float @stay(float %x, ptr %p) {
  %e = fpext float %x to double
  %d = fmul double %e, 0.1
  %t = fptrunc double %d to float
  %d2 = fmul double %e, 0x37D0000000000000
  %t2 = fptrunc double %d2 to float
  %d3 = fadd double %e, 2.0
  %t3 = fptrunc double %d3 to float
  store double %d3, ptr %p, align 8
  %s = fadd float %t, %t2
  %r = fadd float %s, %t3
  ret float %r
}

; The narrow operation may overflow where the wide one does not, and may choose the sign of a zero.
; CHECK-LABEL: llvm.func @flags(
; CHECK:         llvm.fmul %x, {{.*}} {fastmathFlags = #llvm.fastmath<nnan>} : f32
define float @flags(float %x) {
  %e = fpext float %x to double
  %d = fmul nnan ninf nsz double %e, 3.0
  %t = fptrunc double %d to float
  ret float %t
}

; A comparison with 0.1 is one with the float above it, or below it.
; CHECK-LABEL: llvm.func @less(
; CHECK:         [[above:%.*]] = llvm.mlir.constant(1.000000e-01 : f32) : f32
; CHECK-NEXT:    llvm.fcmp "olt" %x, [[above]] : f32
define i1 @less(float %x) {
  %e = fpext float %x to double
  %c = fcmp olt double %e, 0.1
  ret i1 %c
}

; CHECK-LABEL: llvm.func @greater(
; CHECK:         [[below:%.*]] = llvm.mlir.constant(0.099999994 : f32) : f32
; CHECK-NEXT:    llvm.fcmp "ogt" %x, [[below]] : f32
define i1 @greater(float %x) {
  %e = fpext float %x to double
  %c = fcmp ogt double %e, 0.1
  ret i1 %c
}

; No float is near: the constant is denormal as a float, or larger than all floats.
; CHECK-LABEL: llvm.func @far(
; CHECK-COUNT-2: llvm.fcmp {{.*}} : f64
define i1 @far(float %x) {
  %e = fpext float %x to double
  %c = fcmp olt double %e, 1.0e-42
  %d = fcmp olt double %e, 1.0e39
  %r = and i1 %c, %d
  ret i1 %r
}

; A double holds every i32, a float does not hold every i32.
; CHECK-LABEL: llvm.func @integers(
; CHECK:         llvm.sitofp %a : i32 to f32
; CHECK:         llvm.sitofp %a : i32 to f32
; CHECK:         llvm.fptrunc {{.*}} : f32 to f16
define half @integers(i32 %a, ptr %p) {
  %d = sitofp i32 %a to double
  %t = fptrunc double %d to float
  store float %t, ptr %p, align 4
  %f = sitofp i32 %a to float
  %h = fptrunc float %f to half
  ret half %h
}

; CHECK-LABEL: llvm.func @rounded(
; CHECK-NEXT:    llvm.intr.floor(%x) : (f32) -> f32
; CHECK-NEXT:    llvm.return
define float @rounded(float %x) {
  %e = fpext float %x to double
  %f = call double @llvm.floor.f64(double %e)
  %t = fptrunc double %f to float
  ret float %t
}
declare double @llvm.floor.f64(double)

; CHECK-LABEL: llvm.func @distance(
; CHECK-NEXT:    [[d:%.*]] = llvm.sub %a, %b : i32
; CHECK-NEXT:    "llvm.intr.abs"([[d]]) <{is_int_min_poison = false}>
define i32 @distance(i32 %a, i32 %b) {
  %d = sub i32 %a, %b
  %e = sub i32 %b, %a
  %c = icmp sgt i32 %d, -1
  %s = select i1 %c, i32 %d, i32 %e
  ret i32 %s
}

; The difference of integers in order is their distance only if it does not overflow.
; CHECK-LABEL: llvm.func @overflows(
; CHECK-NOT:     abs
; CHECK:         llvm.return
; CHECK-LABEL: llvm.func @in_order(
; CHECK:         llvm.intr.abs
define i32 @overflows(i32 %a, i32 %b) {
  %d = sub i32 %a, %b
  %e = sub i32 %b, %a
  %c = icmp slt i32 %a, %b
  %s = select i1 %c, i32 %e, i32 %d
  ret i32 %s
}
define i32 @in_order(i32 %a, i32 %b) {
  %d = sub nsw i32 %a, %b
  %e = sub nsw i32 %b, %a
  %c = icmp slt i32 %a, %b
  %s = select i1 %c, i32 %e, i32 %d
  ret i32 %s
}

; Extended on one way to a block, a constant on the other, and rounded in the block: the block has a
; float as its argument.
; CHECK-LABEL: llvm.func @joined(
; CHECK:         [[zero:%.*]] = llvm.mlir.constant(-0.000000e+00 : f32) : f32
; CHECK-NOT:     fpext
; CHECK:         llvm.cond_br %c, ^load, ^join([[zero]] : f32)
; CHECK:       ^join([[r:%.*]]: f32):
; CHECK-NEXT:    llvm.store [[r]]
; CHECK-NEXT:    llvm.return [[r]] : f32
define float @joined(i1 %c, ptr %p) {
entry:
  br i1 %c, label %load, label %join
load:
  %f = load float, ptr %p, align 4
  %e = fpext float %f to double
  br label %join
join:
  %x = phi double [ -0.0, %entry ], [ %e, %load ]
  %t = fptrunc double %x to float
  %u = fptrunc double %x to float
  store float %u, ptr %p, align 4
  ret float %t
}

; 0.1 is no float; a use in double precision; rounded to another type; a value that is not extended.
; CHECK-LABEL: llvm.func @no_float(
; CHECK:         ^{{.*}}({{%.*}}: f64):
; CHECK-LABEL: llvm.func @used_as_double(
; CHECK:         ^{{.*}}({{%.*}}: f64):
; CHECK-LABEL: llvm.func @rounded_to_half(
; CHECK:         ^{{.*}}({{%.*}}: f64):
; CHECK-LABEL: llvm.func @one_double(
; CHECK:         ^{{.*}}({{%.*}}: f64):
define float @no_float(i1 %c, float %f) {
entry:
  %e = fpext float %f to double
  br i1 %c, label %join, label %other
other:
  call void @side()
  br label %join
join:
  %x = phi double [ 0.1, %entry ], [ %e, %other ]
  %t = fptrunc double %x to float
  ret float %t
}
define float @used_as_double(i1 %c, float %f, ptr %p) {
entry:
  %e = fpext float %f to double
  br i1 %c, label %join, label %other
other:
  call void @side()
  br label %join
join:
  %x = phi double [ 2.0, %entry ], [ %e, %other ]
  store double %x, ptr %p, align 8
  %t = fptrunc double %x to float
  ret float %t
}
define half @rounded_to_half(i1 %c, float %f) {
entry:
  %e = fpext float %f to double
  br i1 %c, label %join, label %other
other:
  call void @side()
  br label %join
join:
  %x = phi double [ 2.0, %entry ], [ %e, %other ]
  %t = fptrunc double %x to half
  ret half %t
}
define float @one_double(i1 %c, float %f, double %d) {
entry:
  %e = fpext float %f to double
  br i1 %c, label %join, label %other
other:
  call void @side()
  br label %join
join:
  %x = phi double [ %d, %entry ], [ %e, %other ]
  %t = fptrunc double %x to float
  ret float %t
}
declare void @side()
