// RUN: nvvm-opt %s -p 'nvptx-peephole' | filecheck %s

// A 64-bit sum with an extended term absorbs `mul.wide` by one, or by minus one if the term is subtracted.
// CHECK-LABEL: @terms
// CHECK: %[[A:.*]] = nvptx.mul wide.s32 %x, 1
// CHECK-NEXT: %{{.*}} = nvptx.add s64 %[[A]], %p
// CHECK: %[[B:.*]] = nvptx.mul wide.u32 %x, 1
// CHECK-NEXT: %{{.*}} = nvptx.add u64 %p, %[[B]]
// CHECK: %[[C:.*]] = nvptx.mul wide.s32 %x, -1
// CHECK-NEXT: %{{.*}} = nvptx.add s64 %p, %[[C]]
// CHECK: %[[D:.*]] = nvptx.mul wide.s32 %x, 1
// CHECK-NEXT: %{{.*}} = nvptx.sub s64 %[[D]], %p
// A zero extension has no negative product, and a constant term makes no product.
// CHECK: %[[E:.*]] = nvptx.cvt u64.u32 %x
// CHECK: %{{.*}} = nvptx.sub s64 %p, %[[E]]
// CHECK: %[[F:.*]] = nvptx.cvt s64.s32 %x
// CHECK: %{{.*}} = nvptx.add s64 %[[F]], 16
// CHECK: %n = nvptx.cvt s64.s32 %x if %o
// CHECK: %{{.*}} = nvptx.add s64 %n, %p
nvptx.func @terms() {
  %p = nvptx.ld param.b64 [@terms_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b32 [@terms_param_1] : () -> !nvptx.b32
  %a = nvptx.cvt s64.s32 %x : (!nvptx.b32) -> !nvptx.b64
  %b = nvptx.add s64 %a, %p : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  %c = nvptx.cvt u64.u32 %x : (!nvptx.b32) -> !nvptx.b64
  %d = nvptx.add u64 %p, %c : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %d : (!nvptx.b64) -> ()
  %e = nvptx.cvt s64.s32 %x : (!nvptx.b32) -> !nvptx.b64
  %f = nvptx.sub s64 %p, %e : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %f : (!nvptx.b64) -> ()
  %h = nvptx.cvt s64.s32 %x : (!nvptx.b32) -> !nvptx.b64
  %i = nvptx.sub s64 %h, %p : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %i : (!nvptx.b64) -> ()
  %j = nvptx.cvt u64.u32 %x : (!nvptx.b32) -> !nvptx.b64
  %k = nvptx.sub s64 %p, %j : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %k : (!nvptx.b64) -> ()
  %l = nvptx.cvt s64.s32 %x : (!nvptx.b32) -> !nvptx.b64
  %m = nvptx.add s64 %l, 16 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %m : (!nvptx.b64) -> ()
  %o = nvptx.setp eq.s32 %x, 9 : (!nvptx.b32) -> !nvptx.pred
  %n = nvptx.cvt s64.s32 %x if %o : (!nvptx.b32, !nvptx.pred) -> !nvptx.b64
  %q = nvptx.add s64 %n, %p : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %q : (!nvptx.b64) -> ()
  nvptx.ret
}

// Three terms are one addition of the machine: the extension stays if the sum is a term of another sum, if its
// other term is a sum, or if its other term is a product, which absorbs the sum.
// CHECK-LABEL: @three
// CHECK: %a = nvptx.cvt s64.s32 %x
// CHECK-NEXT: %b = nvptx.add s64 %a, %p
// CHECK-NEXT: %{{.*}} = nvptx.add s64 %b, %q
// CHECK: %d = nvptx.add s64 %p, %q
// CHECK-NEXT: %e = nvptx.cvt s64.s32 %x
// CHECK-NEXT: %{{.*}} = nvptx.add s64 %d, %e
// CHECK: %h = nvptx.mul wide.u32 %x, 12
// CHECK-NEXT: %i = nvptx.cvt u64.u32 %x
// CHECK-NEXT: %{{.*}} = nvptx.add s64 %h, %i
// Of a sum of two zero extensions neither is replaced; a sum that is used twice is no term.
// CHECK: %k = nvptx.cvt u64.u32 %x
// CHECK: %l = nvptx.cvt u64.u32 %y
// CHECK: %{{.*}} = nvptx.add s64 %k, %l
// CHECK: %n = nvptx.add s64 %p, %q
// CHECK: %[[O:.*]] = nvptx.mul wide.s32 %y, 1
// CHECK-NEXT: %{{.*}} = nvptx.add s64 %n, %[[O]]
// A sum whose sum absorbs another product is no obstacle.
// CHECK: %[[R:.*]] = nvptx.mul wide.s32 %y, 1
// CHECK-NEXT: %s = nvptx.add s64 %p, %[[R]]
// CHECK-NEXT: %t = nvptx.mul wide.s32 %x, 4
// CHECK-NEXT: %{{.*}} = nvptx.add s64 %s, %t
// Nor is a term that is a sum with a product.
// CHECK: %i3 = nvptx.add s64 %p, %i2
// CHECK-NEXT: %[[I:.*]] = nvptx.mul wide.s32 %y, 1
// CHECK-NEXT: %{{.*}} = nvptx.add s64 %i3, %[[I]]
nvptx.func @three() {
  %p = nvptx.ld param.b64 [@three_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@three_param_1] : () -> !nvptx.b64
  %x = nvptx.ld param.b32 [@three_param_2] : () -> !nvptx.b32
  %y = nvptx.ld param.b32 [@three_param_3] : () -> !nvptx.b32
  %a = nvptx.cvt s64.s32 %x : (!nvptx.b32) -> !nvptx.b64
  %b = nvptx.add s64 %a, %p : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %c = nvptx.add s64 %b, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %c : (!nvptx.b64) -> ()
  %d = nvptx.add s64 %p, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %e = nvptx.cvt s64.s32 %x : (!nvptx.b32) -> !nvptx.b64
  %f = nvptx.add s64 %d, %e : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %f : (!nvptx.b64) -> ()
  %h = nvptx.mul wide.u32 %x, 12 : (!nvptx.b32) -> !nvptx.b64
  %i = nvptx.cvt u64.u32 %x : (!nvptx.b32) -> !nvptx.b64
  %j = nvptx.add s64 %h, %i : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %j : (!nvptx.b64) -> ()
  %k = nvptx.cvt u64.u32 %x : (!nvptx.b32) -> !nvptx.b64
  %l = nvptx.cvt u64.u32 %y : (!nvptx.b32) -> !nvptx.b64
  %m = nvptx.add s64 %k, %l : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %m : (!nvptx.b64) -> ()
  %n = nvptx.add s64 %p, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %n : (!nvptx.b64) -> ()
  %o = nvptx.cvt s64.s32 %y : (!nvptx.b32) -> !nvptx.b64
  %r = nvptx.add s64 %n, %o : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %r : (!nvptx.b64) -> ()
  %v = nvptx.cvt s64.s32 %y : (!nvptx.b32) -> !nvptx.b64
  %s = nvptx.add s64 %p, %v : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %t = nvptx.mul wide.s32 %x, 4 : (!nvptx.b32) -> !nvptx.b64
  %u = nvptx.add s64 %s, %t : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %u : (!nvptx.b64) -> ()
  %i2 = nvptx.mul wide.s32 %x, 4 : (!nvptx.b32) -> !nvptx.b64
  %i3 = nvptx.add s64 %p, %i2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %i4 = nvptx.cvt s64.s32 %y : (!nvptx.b32) -> !nvptx.b64
  %i5 = nvptx.add s64 %i3, %i4 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %i5 : (!nvptx.b64) -> ()
  nvptx.ret
}

// ptxas splits a 64-bit value that is passed between blocks and is used other than as an address; its steps stay sums.
// The steps of an address, and of a total that is used nowhere else, are products. The first value of an address
// that has other steps stays a sum, too.
// CHECK-LABEL: @carried
// CHECK: %{{.*}} = nvptx.cvt s64.s32 %x
// CHECK: %{{.*}} = nvptx.add s64 %p, %{{.*}}
// CHECK: ^loop(%i
// CHECK-NEXT: %v = nvptx.ld global.b32 [%a]
// CHECK-NEXT: %w = nvptx.ld global.b32 [%b]
// CHECK-NEXT: %[[S:.*]] = nvptx.cvt u64.u32 %n
// CHECK-NEXT: %i2 = nvptx.add s64 %i, %[[S]]
// CHECK-NEXT: %[[A:.*]] = nvptx.mul wide.u32 %n, 1
// CHECK-NEXT: %a2 = nvptx.add s64 %a, %[[A]]
// CHECK-NEXT: %[[T:.*]] = nvptx.mul wide.s32 %v, 1
// CHECK-NEXT: %t2 = nvptx.add s64 %t, %[[T]]
nvptx.func @carried() {
  %p = nvptx.ld param.b64 [@carried_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@carried_param_1] : () -> !nvptx.b32
  %x = nvptx.ld param.b32 [@carried_param_2] : () -> !nvptx.b32
  %y = nvptx.cvt s64.s32 %x : (!nvptx.b32) -> !nvptx.b64
  %q = nvptx.add s64 %p, %y : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %z = nvptx.mov b64 0 : () -> !nvptx.b64
  nvptx.bra ^loop(%z, %p, %z, %q : !nvptx.b64, !nvptx.b64, !nvptx.b64, !nvptx.b64)
^loop(%i : !nvptx.b64, %a : !nvptx.b64, %t : !nvptx.b64, %b : !nvptx.b64):
  %v = nvptx.ld global.b32 [%a] : (!nvptx.b64) -> !nvptx.b32
  %w = nvptx.ld global.b32 [%b] : (!nvptx.b64) -> !nvptx.b32
  %s = nvptx.cvt u64.u32 %n : (!nvptx.b32) -> !nvptx.b64
  %i2 = nvptx.add s64 %i, %s : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %s2 = nvptx.cvt u64.u32 %n : (!nvptx.b32) -> !nvptx.b64
  %a2 = nvptx.add s64 %a, %s2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %s3 = nvptx.cvt s64.s32 %v : (!nvptx.b32) -> !nvptx.b64
  %t2 = nvptx.add s64 %t, %s3 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %b2 = nvptx.add s64 %b, %i : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp lt.s64 %i2, %p : (!nvptx.b64, !nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%i2, %a2, %t2, %b2 : !nvptx.b64, !nvptx.b64, !nvptx.b64, !nvptx.b64), ^end
^end:
  nvptx.ret
}

// A product that is subtracted has the negative factor, unless that does not fit.
// CHECK-LABEL: @products
// CHECK: %[[A:.*]] = nvptx.mul wide.s32 %x, -8
// CHECK-NEXT: %{{.*}} = nvptx.add s64 %p, %[[A]]
// CHECK: %c = nvptx.mul wide.u32 %x, 8
// CHECK-NEXT: %{{.*}} = nvptx.sub s64 %p, %c
// CHECK: %e = nvptx.mul wide.s32 %x, -2147483648
// CHECK-NEXT: %{{.*}} = nvptx.sub s64 %p, %e
// CHECK: %h = nvptx.mul wide.s32 %x, %x
// CHECK-NEXT: %{{.*}} = nvptx.sub s64 %p, %h
nvptx.func @products() {
  %p = nvptx.ld param.b64 [@products_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b32 [@products_param_1] : () -> !nvptx.b32
  %a = nvptx.mul wide.s32 %x, 8 : (!nvptx.b32) -> !nvptx.b64
  %b = nvptx.sub s64 %p, %a : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  %c = nvptx.mul wide.u32 %x, 8 : (!nvptx.b32) -> !nvptx.b64
  %d = nvptx.sub s64 %p, %c : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %d : (!nvptx.b64) -> ()
  %e = nvptx.mul wide.s32 %x, -2147483648 : (!nvptx.b32) -> !nvptx.b64
  %f = nvptx.sub s64 %p, %e : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %f : (!nvptx.b64) -> ()
  %h = nvptx.mul wide.s32 %x, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b64
  %i = nvptx.sub s64 %p, %h : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %i : (!nvptx.b64) -> ()
  nvptx.ret
}

// A shifted extension is a product while the factor fits.
// CHECK-LABEL: @shifts
// CHECK: %{{.*}} = nvptx.mul wide.s32 %x, 8
// CHECK: %{{.*}} = nvptx.mul wide.u32 %x, 1073741824
// CHECK: %{{.*}} = nvptx.shl b64 %{{.*}}, 31
// CHECK: %{{.*}} = nvptx.shl b64 %{{.*}}, %x
// CHECK: %{{.*}} = nvptx.shl b64 %w, 3
nvptx.func @shifts() {
  %x = nvptx.ld param.b32 [@shifts_param_0] : () -> !nvptx.b32
  %v = nvptx.ld param.b16 [@shifts_param_1] : () -> !nvptx.b16
  %a = nvptx.cvt s64.s32 %x : (!nvptx.b32) -> !nvptx.b64
  %b = nvptx.shl b64 %a, 3 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  %c = nvptx.cvt u64.u32 %x : (!nvptx.b32) -> !nvptx.b64
  %d = nvptx.shl b64 %c, 30 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %d : (!nvptx.b64) -> ()
  %e = nvptx.cvt u64.u32 %x : (!nvptx.b32) -> !nvptx.b64
  %f = nvptx.shl b64 %e, 31 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %f : (!nvptx.b64) -> ()
  %h = nvptx.cvt u64.u32 %x : (!nvptx.b32) -> !nvptx.b64
  %i = nvptx.shl b64 %h, %x : (!nvptx.b64, !nvptx.b32) -> !nvptx.b64
  nvptx.st global.b64 [@g], %i : (!nvptx.b64) -> ()
  %w = nvptx.cvt u64.u16 %v : (!nvptx.b16) -> !nvptx.b64
  %j = nvptx.shl b64 %w, 3 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %j : (!nvptx.b64) -> ()
  nvptx.ret
}

// A product adds the other scaled term. %q is the base, the shifts may be either operand.
// CHECK-LABEL: @scaled_products
// CHECK:      %[[S:.*]] = nvptx.add s64 %{{.*}}, %x
// CHECK-NEXT: %[[T:.*]] = nvptx.shl b64 %[[S]], 2
// CHECK-NEXT: nvptx.add s64 %q, %[[T]]
nvptx.func @scaled_products() {
  %q = nvptx.ld param.b64 [@scaled_products_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_products_param_1] : () -> !nvptx.b64
  %m = nvptx.mul lo.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %xs, %a : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}

// Neither term is a product.
// CHECK-LABEL: @scaled_no_product
// CHECK: nvptx.add s64 %a, %xs
nvptx.func @scaled_no_product() {
  %q = nvptx.ld param.b64 [@scaled_no_product_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_no_product_param_1] : () -> !nvptx.b64
  %m = nvptx.xor b64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}

// The high half of a product is not added.
// CHECK-LABEL: @scaled_high_product
// CHECK: nvptx.add s64 %a, %xs
nvptx.func @scaled_high_product() {
  %q = nvptx.ld param.b64 [@scaled_high_product_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_high_product_param_1] : () -> !nvptx.b64
  %m = nvptx.mul hi.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}

// The scales differ.
// CHECK-LABEL: @scaled_differently
// CHECK: nvptx.add s64 %a, %xs
nvptx.func @scaled_differently() {
  %q = nvptx.ld param.b64 [@scaled_differently_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_differently_param_1] : () -> !nvptx.b64
  %m = nvptx.mul lo.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %xs = nvptx.shl b64 %x, 3 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}

// The sum shares its register.
// CHECK-LABEL: @scaled_shared
// CHECK: nvptx.add s64 %a, %xs
nvptx.func @scaled_shared() {
  %q = nvptx.ld param.b64 [@scaled_shared_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_shared_param_1] : () -> !nvptx.b64
  %m = nvptx.mul lo.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64<7>
  nvptx.st global.b64 [@g], %b : (!nvptx.b64<7>) -> ()
  nvptx.ret
}

// The second term is subtracted.
// CHECK-LABEL: @scaled_difference
// CHECK: nvptx.sub s64 %a, %xs
nvptx.func @scaled_difference() {
  %q = nvptx.ld param.b64 [@scaled_difference_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_difference_param_1] : () -> !nvptx.b64
  %m = nvptx.mul lo.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.sub s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}

// The product has another use, so it is computed anyway.
// CHECK-LABEL: @scaled_product_used
// CHECK: nvptx.add s64 %a, %xs
nvptx.func @scaled_product_used() {
  %q = nvptx.ld param.b64 [@scaled_product_used_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_product_used_param_1] : () -> !nvptx.b64
  %m = nvptx.mul lo.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %m : (!nvptx.b64) -> ()
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}

// The first sum has another use.
// CHECK-LABEL: @scaled_sum_used
// CHECK: nvptx.add s64 %a, %xs
nvptx.func @scaled_sum_used() {
  %q = nvptx.ld param.b64 [@scaled_sum_used_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_sum_used_param_1] : () -> !nvptx.b64
  %m = nvptx.mul lo.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %a : (!nvptx.b64) -> ()
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}

// The first shift has another use.
// CHECK-LABEL: @scaled_shift_used
// CHECK: nvptx.add s64 %a, %xs
nvptx.func @scaled_shift_used() {
  %q = nvptx.ld param.b64 [@scaled_shift_used_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_shift_used_param_1] : () -> !nvptx.b64
  %m = nvptx.mul lo.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %ms : (!nvptx.b64) -> ()
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}

// The scale is not a constant.
// CHECK-LABEL: @scaled_by_register
// CHECK: nvptx.add s64 %a, %xs
nvptx.func @scaled_by_register() {
  %q = nvptx.ld param.b64 [@scaled_by_register_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_by_register_param_1] : () -> !nvptx.b64
  %m = nvptx.mul lo.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %r = nvptx.cvt u32.u64 %x : (!nvptx.b64) -> !nvptx.b32
  %ms = nvptx.shl b64 %m, %r : (!nvptx.b64, !nvptx.b32) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}

// The first sum is in another block, which may be executed less often.
// CHECK-LABEL: @scaled_in_block
// CHECK: nvptx.add s64 %a, %xs
nvptx.func @scaled_in_block() {
  %q = nvptx.ld param.b64 [@scaled_in_block_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b64 [@scaled_in_block_param_1] : () -> !nvptx.b64
  %m = nvptx.mul lo.s64 %x, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %ms = nvptx.shl b64 %m, 2 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.add s64 %q, %ms : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.bra ^next
^next:
  %xs = nvptx.shl b64 %x, 2 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %a, %xs : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  nvptx.ret
}
