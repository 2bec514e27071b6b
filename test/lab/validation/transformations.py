"""Transformations of small functions, right and wrong.

A row is a name, a signature, the original body and the optimized body. The lines of a body are
separated by semicolons.
"""

WRONG = """
keep nsw of a reassociated sum | i32 (i32 %a, i32 %b, i32 %c) | %x = add nsw i32 %a, %b; %y = add nsw i32 %x, %c; ret i32 %y | %x = add nsw i32 %b, %c; %y = add nsw i32 %a, %x; ret i32 %y
add nsw | i32 (i32 %a) | %x = add i32 %a, 1; ret i32 %x | %x = add nsw i32 %a, 1; ret i32 %x
add nuw | i32 (i32 %a) | %x = add i32 %a, 1; ret i32 %x | %x = add nuw i32 %a, 1; ret i32 %x
shl nsw from mul nsw | i32 (i32 %a) | %x = mul nsw i32 %a, -2147483648; ret i32 %x | %x = shl nsw i32 %a, 31; ret i32 %x
add exact | i32 (i32 %a) | %x = lshr i32 %a, 2; ret i32 %x | %x = lshr exact i32 %a, 2; ret i32 %x
add disjoint | i32 (i32 %a, i32 %b) | %x = or i32 %a, %b; ret i32 %x | %x = or disjoint i32 %a, %b; ret i32 %x
add nneg | i64 (i32 %a) | %x = zext i32 %a to i64; ret i64 %x | %x = zext nneg i32 %a to i64; ret i64 %x
wrong constant | i32 () | %x = mul i32 6, 7; ret i32 %x | ret i32 43
wrong signed constant | i8 () | %x = ashr i8 -8, 1; ret i8 %x | ret i8 124
sign of a remainder | i32 (i32 %a) | %x = srem i32 %a, 4; ret i32 %x | %x = and i32 %a, 3; ret i32 %x
sdiv to ashr | i32 (i32 %a) | %x = sdiv i32 %a, 4; ret i32 %x | %x = ashr i32 %a, 2; ret i32 %x
swapped arms | i32 (i1 %c, i32 %a, i32 %b) | %x = select i1 %c, i32 %a, i32 %b; ret i32 %x | %x = select i1 %c, i32 %b, i32 %a; ret i32 %x
select to and | i1 (i1 %a, i1 %b) | %x = select i1 %a, i1 %b, i1 false; ret i1 %x | %x = and i1 %a, %b; ret i1 %x
hoisted division | i32 (i1 %c, i32 %a, i32 %b) | br i1 %c, label %t, label %e; t:; %x = udiv i32 %a, %b; ret i32 %x; e:; ret i32 0 | %x = udiv i32 %a, %b; br i1 %c, label %t, label %e; t:; ret i32 %x; e:; ret i32 0
speculated load | i32 (i1 %c, ptr %p) | br i1 %c, label %t, label %e; t:; %x = load i32, ptr %p; ret i32 %x; e:; ret i32 0 | %x = load i32, ptr %p; br i1 %c, label %t, label %e; t:; ret i32 %x; e:; ret i32 0
speculated store | void (i1 %c, ptr %p) | %o = load i32, ptr %p; br i1 %c, label %t, label %e; t:; store i32 1, ptr %p; ret void; e:; ret void | %o = load i32, ptr %p; %s = select i1 %c, i32 1, i32 %o; store i32 %s, ptr %p; ret void
removed store | void (ptr %p) | store i32 1, ptr %p; ret void | ret void
wrong store | void (ptr %p) | store i32 1, ptr %p; ret void | store i32 2, ptr %p; ret void
wide store | void (ptr %p) | store i8 1, ptr %p; ret void | store i16 1, ptr %p, align 1; ret void
reordered stores | void (ptr %p, ptr %q) | store i8 1, ptr %p; store i8 2, ptr %q; ret void | store i8 2, ptr %q; store i8 1, ptr %p; ret void
forwarded over a store | i32 (ptr %p, ptr %q) | %a = load i32, ptr %p; store i32 2, ptr %q; %b = load i32, ptr %p; %x = add i32 %a, %b; ret i32 %x | %a = load i32, ptr %p; store i32 2, ptr %q; %x = add i32 %a, %a; ret i32 %x
forwarded over a call | i32 (ptr %p) | %a = load i32, ptr %p; call void @ext(i32 1); %b = load i32, ptr %p; ret i32 %b | %a = load i32, ptr %p; call void @ext(i32 1); ret i32 %a
larger alignment | i32 (ptr %p) | %a = load i32, ptr %p, align 1; ret i32 %a | %a = load i32, ptr %p, align 4; ret i32 %a
removed call | void () | call void @ext(i32 1); ret void | ret void
duplicated call | void () | call void @ext(i32 1); ret void | call void @ext(i32 1); call void @ext(i32 1); ret void
reordered calls | void () | call void @ext(i32 1); call void @ext(i32 2); ret void | call void @ext(i32 2); call void @ext(i32 1); ret void
division before a call | i32 (i32 %a, i32 %b) | call void @ext(i32 1); %x = udiv i32 %a, %b; ret i32 %x | %x = udiv i32 %a, %b; call void @ext(i32 1); ret i32 %x
removed volatile load | void (ptr %p) | %a = load volatile i32, ptr %p; ret void | ret void
merged volatile loads | i32 (ptr %p) | %a = load volatile i32, ptr %p; %b = load volatile i32, ptr %p; ret i32 %b | %a = load volatile i32, ptr %p; ret i32 %a
removed barrier | void (ptr %p) | store i32 1, ptr %p; call void @llvm.nvvm.barrier0(); ret void | store i32 1, ptr %p; ret void
load over a barrier | i32 (ptr %p) | %a = load i32, ptr %p; call void @llvm.nvvm.barrier0(); %b = load i32, ptr %p; ret i32 %b | %a = load i32, ptr %p; call void @llvm.nvvm.barrier0(); ret i32 %a
shift amount | i32 (i32 %a) | %x = mul i32 %a, 8; ret i32 %x | %x = shl i32 %a, 4; ret i32 %x
combined shifts | i32 (i32 %a) | %x = shl i32 %a, 20; %y = shl i32 %x, 20; ret i32 %y | %y = shl i32 %a, 8; ret i32 %y
logical for arithmetic | i32 (i32 %a) | %x = ashr i32 %a, 1; ret i32 %x | %x = lshr i32 %a, 1; ret i32 %x
lost freeze | i32 (i32 %a) | %f = freeze i32 %a; ret i32 %f | ret i32 %a
two freezes | i32 (i32 %a) | %f = freeze i32 %a; %x = sub i32 %f, %f; ret i32 %x | %f = freeze i32 %a; %g = freeze i32 %a; %x = sub i32 %f, %g; ret i32 %x
undef to poison | i32 () | ret i32 undef | ret i32 poison
undef times two | i4 () | %x = shl i4 undef, 1; ret i4 %x | ret i4 undef
freeze of undef to undef | i32 () | %f = freeze i32 undef; ret i32 %f | ret i32 undef
frozen argument to undef | void () | %f = freeze i32 undef; call void @ext(i32 %f); ret void | call void @ext(i32 undef); ret void
load at an undef index | i8 () | ret i8 0 | %p = alloca [2 x i8]; store [2 x i8] zeroinitializer, ptr %p; %i = and i64 undef, 1; %q = getelementptr i8, ptr %p, i64 %i; %x = load i8, ptr %q; ret i8 %x
one of two stores | void () | %c = freeze i1 poison; br i1 %c, label %a, label %b; a:; store i32 0, ptr @g; ret void; b:; store i32 0, ptr @h; ret void | ret void
branch on poison | i32 (i1 %a, i1 %b) | %x = select i1 %a, i1 %b, i1 false; br i1 %x, label %t, label %e; t:; ret i32 1; e:; ret i32 0 | %x = and i1 %b, %a; br i1 %x, label %t, label %e; t:; ret i32 1; e:; ret i32 0
inverted fcmp | i1 (float %a, float %b) | %x = fcmp olt float %a, %b; %y = xor i1 %x, true; ret i1 %y | %y = fcmp oge float %a, %b; ret i1 %y
fcmp of itself | i1 (float %a) | %x = fcmp oeq float %a, %a; ret i1 %x | ret i1 true
times zero | float (float %a) | %x = fmul float %a, 0.0; ret float %x | ret float 0.0
plus zero | float (float %a) | %x = fadd float %a, 0.0; ret float %x | ret float %a
minus from zero | float (float %a) | %x = fsub float 0.0, %a; ret float %x | %x = fneg float %a; ret float %x
nnan | float (float %a) | %x = fmul float %a, 2.0; ret float %x | %x = fmul nnan float %a, 2.0; ret float %x
reciprocal | half (half %a) | %x = fdiv half %a, 3.0; ret half %x | %x = fmul half %a, 0xH3555; ret half %x
fmin operands | float (float %a, float %b) | %c = fcmp olt float %a, %b; %x = select i1 %c, float %a, float %b; ret float %x | %x = call float @llvm.minnum.f32(float %a, float %b); ret float %x
pointer through a narrow integer | ptr (ptr %p) | %v = ptrtoint ptr %p to i32; %q = inttoptr i32 %v to ptr; ret ptr %q | ret ptr %p
cast of a cast | i64 (i32 %a) | %x = sext i32 %a to i64; ret i64 %x | %x = zext i32 %a to i64; ret i64 %x
truncated comparison | i1 (i32 %a, i32 %b) | %x = icmp eq i32 %a, %b; ret i1 %x | %s = trunc i32 %a to i16; %t = trunc i32 %b to i16; %x = icmp eq i16 %s, %t; ret i1 %x
signed comparison | i1 (i32 %a) | %x = icmp ugt i32 %a, 5; ret i1 %x | %x = icmp sgt i32 %a, 5; ret i1 %x
lane | i32 (<2 x i32> %v) | %x = extractelement <2 x i32> %v, i32 1; ret i32 %x | %x = extractelement <2 x i32> %v, i32 0; ret i32 %x
shuffle | <2 x i32> (<2 x i32> %v, <2 x i32> %w) | %x = shufflevector <2 x i32> %v, <2 x i32> %w, <2 x i32> <i32 0, i32 3>; ret <2 x i32> %x | %x = shufflevector <2 x i32> %v, <2 x i32> %w, <2 x i32> <i32 0, i32 2>; ret <2 x i32> %x
field | i32 ({i32, i32} %s) | %x = extractvalue {i32, i32} %s, 1; ret i32 %x | %x = extractvalue {i32, i32} %s, 0; ret i32 %x
add inbounds | ptr (ptr %p, i64 %i) | %q = getelementptr i8, ptr %p, i64 %i; ret ptr %q | %q = getelementptr inbounds i8, ptr %p, i64 %i; ret ptr %q
switch case | i32 (i32 %a) | switch i32 %a, label %d [i32 1, label %o]; o:; ret i32 1; d:; ret i32 0 | switch i32 %a, label %d [i32 2, label %o]; o:; ret i32 1; d:; ret i32 0
wrong edge | i32 (i1 %c) | br i1 %c, label %t, label %j; t:; br label %j; j:; %x = phi i32 [1, %t], [2, %0]; ret i32 %x | %x = select i1 %c, i32 2, i32 1; ret i32 %x
stale local | i32 (i32 %a) | %p = alloca i32; store i32 %a, ptr %p; store i32 5, ptr %p; %x = load i32, ptr %p; ret i32 %x | ret i32 %a
funnel shift | i32 (i32 %a, i32 %b, i32 %n) | %x = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %n); ret i32 %x | %x = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %n); ret i32 %x
ctlz of zero | i32 (i32 %a) | %x = call i32 @llvm.ctlz.i32(i32 %a, i1 false); ret i32 %x | %x = call i32 @llvm.ctlz.i32(i32 %a, i1 true); ret i32 %x
too small assumption | i32 (i32 %a) | ret i32 %a | %c = icmp ult i32 %a, 10; call void @llvm.assume(i1 %c); ret i32 %a
loop step | i32 (i32 %n) | br label %h; h:; %i = phi i32 [0, %0], [%j, %h]; %j = add i32 %i, 1; %c = icmp ult i32 %j, %n; br i1 %c, label %h, label %e; e:; ret i32 %j | br label %h; h:; %i = phi i32 [0, %0], [%j, %h]; %j = add i32 %i, 2; %c = icmp ult i32 %j, %n; br i1 %c, label %h, label %e; e:; ret i32 %j
partly undef store | void (ptr %p) | store i32 0, ptr %p; ret void | %x = or i32 undef, 1; store i32 %x, ptr %p; ret void
undef argument used twice | i8 (i8 %a) | %x = shl i8 %a, 1; ret i8 %x | %x = add i8 %a, %a; ret i8 %x
undef argument of a remainder | i2 (i2 %a) | %x = urem i2 %a, -1; ret i2 %x | %c = icmp eq i2 %a, -1; %z = zext i1 %c to i2; %x = add i2 %z, %a; ret i2 %x
freeze of an argument lost behind a branch | i32 (i32 %a) | %c = icmp ule i32 0, %a; br i1 %c, label %t, label %e; t:; %f = freeze i32 %a; ret i32 %f; e:; ret i32 0 | %c = icmp ule i32 0, %a; br i1 %c, label %t, label %e; t:; ret i32 %a; e:; ret i32 0
undef bits of an argument | i8 (i8 %a) | %f = freeze i8 %a; %x = and i8 %f, 1; %y = xor i8 %x, %f; ret i8 %y | %x = and i8 %a, 1; %y = xor i8 %x, %a; ret i8 %y
freeze of memory lost | void (ptr %p) | %x = load i8, ptr %p; %f = freeze i8 %x; store i8 %f, ptr %p; ret void | ret void
undef bits of memory | i8 (ptr %p) | %x = load i8, ptr %p; %y = shl i8 %x, 1; ret i8 %y | %x = load i8, ptr %p; %y = add i8 %x, %x; ret i8 %y
undef operand of a call | void (i32 %a) | %f = freeze i32 %a; call void @ext(i32 %f); ret void | call void @ext(i32 %a); ret void
poison operand of a call | void (i32 %a) | call void @ext(i32 %a); ret void | call void @ext(i32 poison); ret void
undef operand that is not all values | void (i32 %a) | %x = or i32 undef, 1; call void @ext(i32 %x); ret void | call void @ext(i32 2); ret void
undef float | float (float %a) | %f = freeze float %a; %x = fneg float %f; ret float %x | %x = fneg float %a; ret float %x
range of a result | i32 (i32 %a) | %x = call i32 @llvm.ctpop.i32(i32 %a); ret i32 %x | %x = call range(i32 1, 33) i32 @llvm.ctpop.i32(i32 %a); ret i32 %x
"""

RIGHT = """
drop nsw | i32 (i32 %a) | %x = add nsw i32 %a, 1; ret i32 %x | %x = add i32 %a, 1; ret i32 %x
cancelled sum | i32 (i32 %a, i32 %b) | %x = add nsw i32 %a, %b; %y = sub nsw i32 %x, %b; ret i32 %y | ret i32 %a
compare of a sum | i1 (i32 %a, i32 %b) | %x = add nsw i32 %a, %b; %c = icmp sgt i32 %x, %a; ret i1 %c | %c = icmp sgt i32 %b, 0; ret i1 %c
mul to shl | i32 (i32 %a) | %x = mul nuw i32 %a, 8; ret i32 %x | %x = shl nuw i32 %a, 3; ret i32 %x
udiv to lshr | i32 (i32 %a) | %x = udiv i32 %a, 8; ret i32 %x | %x = lshr i32 %a, 3; ret i32 %x
urem to and | i32 (i32 %a) | %x = urem i32 %a, 8; ret i32 %x | %x = and i32 %a, 7; ret i32 %x
exact division | i32 (i32 %a) | %x = sdiv exact i32 %a, 8; ret i32 %x | %x = ashr exact i32 %a, 3; ret i32 %x
add of disjoint bits | i32 (i32 %a) | %x = and i32 %a, -8; %y = or i32 %x, 3; ret i32 %y | %x = and i32 %a, -8; %y = add nuw i32 %x, 3; ret i32 %y
not of not | i32 (i32 %a) | %x = xor i32 %a, -1; %y = xor i32 %x, -1; ret i32 %y | ret i32 %a
wide integers | i128 (i128 %a) | %x = add i128 %a, %a; ret i128 %x | %x = shl i128 %a, 1; ret i128 %x
odd width | i7 (i7 %a) | %x = sub i7 0, %a; %y = sub i7 0, %x; ret i7 %y | ret i7 %a
signed maximum | i32 (i32 %a, i32 %b) | %c = icmp sgt i32 %a, %b; %x = select i1 %c, i32 %a, i32 %b; ret i32 %x | %x = call i32 @llvm.smax.i32(i32 %a, i32 %b); ret i32 %x
absolute value | i32 (i32 %a) | %c = icmp slt i32 %a, 0; %n = sub i32 0, %a; %x = select i1 %c, i32 %n, i32 %a; ret i32 %x | %x = call i32 @llvm.abs.i32(i32 %a, i1 false); ret i32 %x
rotation | i32 (i32 %a) | %l = shl i32 %a, 5; %r = lshr i32 %a, 27; %x = or i32 %l, %r; ret i32 %x | %x = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 5); ret i32 %x
byte swap twice | i32 (i32 %a) | %x = call i32 @llvm.bswap.i32(i32 %a); %y = call i32 @llvm.bswap.i32(i32 %x); ret i32 %y | ret i32 %a
overflow bit | i1 (i32 %a, i32 %b) | %s = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %a, i32 %b); %x = extractvalue {i32, i1} %s, 1; ret i1 %x | %n = xor i32 %a, -1; %x = icmp ugt i32 %b, %n; ret i1 %x
saturation | i8 (i8 %a) | %x = call i8 @llvm.uadd.sat.i8(i8 %a, i8 -1); ret i8 %x | ret i8 -1
known overflow | i32 (i32 %a) | %x = add nsw i32 2147483647, 1; ret i32 %x | ret i32 %a
freeze of no poison | i32 (i32 noundef %a) | %f = freeze i32 %a; ret i32 %f | ret i32 %a
one freeze | i32 (i32 %a) | %f = freeze i32 %a; %x = sub i32 %f, %f; ret i32 %x | ret i32 0
undef chosen | i32 () | ret i32 undef | ret i32 42
undef merged with a number | i32 (i1 noundef %c) | br i1 %c, label %t, label %e; t:; br label %j; e:; br label %j; j:; %x = phi i8 [ 3, %t ], [ undef, %e ]; %y = zext i8 %x to i32; %z = add i32 %y, 1; ret i32 %z | ret i32 4
undef bits merged with themselves | i16 (i1 noundef %c, i16 %a) | br i1 %c, label %t, label %e; t:; br label %j; e:; br label %j; j:; %x = phi i16 [ %a, %t ], [ %a, %e ]; %y = mul i16 %x, 5; %z = xor i16 %y, %y; ret i16 %z | %y = mul i16 %a, 5; %z = xor i16 %y, %y; ret i16 %z
undef bits at an undef address | i16 (ptr %q) | %x = load i16, ptr %q; %y = add i16 %x, 0; %z = mul i16 %y, %y; ret i16 %z | %x = load i16, ptr %q; %z = mul i16 %x, %x; ret i16 %z
undef by and | i32 (i32 %a) | %x = and i32 undef, %a; ret i32 %x | ret i32 0
undef compared | i1 (i32 noundef %a) | %x = icmp eq i32 %a, undef; ret i1 %x | ret i1 false
and to select | i1 (i1 %a, i1 %b) | %x = and i1 %a, %b; ret i1 %x | %x = select i1 %a, i1 %b, i1 false; ret i1 %x
branch to select | i32 (i1 %c, i32 %a, i32 %b) | br i1 %c, label %t, label %j; t:; br label %j; j:; %x = phi i32 [%a, %t], [%b, %0]; ret i32 %x | %x = select i1 %c, i32 %a, i32 %b; ret i32 %x
unreachable arm | i32 (i1 %c) | br i1 %c, label %t, label %e; t:; ret i32 1; e:; unreachable | ret i32 1
fact of a branch | i32 (i32 %a) | %c = icmp eq i32 %a, 5; br i1 %c, label %t, label %e; t:; ret i32 %a; e:; ret i32 0 | %c = icmp eq i32 %a, 5; br i1 %c, label %t, label %e; t:; ret i32 5; e:; ret i32 0
fact of an assumption | i1 (i32 %a) | %c = icmp ult i32 %a, 10; call void @llvm.assume(i1 %c); %x = icmp ult i32 %a, 20; ret i1 %x | ret i1 true
sunk division | i32 (i1 %c, i32 %a, i32 noundef %b) | %x = udiv i32 %a, %b; br i1 %c, label %t, label %e; t:; ret i32 %x; e:; ret i32 0 | br i1 %c, label %t, label %e; t:; %x = udiv i32 %a, %b; ret i32 %x; e:; ret i32 0
parts of a copy in bounds | void (ptr %p, i16 noundef %a) | %s = alloca i16; store i16 %a, ptr %s; call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %s, i64 2, i1 false); ret void | %q = getelementptr inbounds i8, ptr %p, i64 1; %b = trunc i16 %a to i8; %h = lshr i16 %a, 8; %c = trunc i16 %h to i8; store i8 %b, ptr %p; store i8 %c, ptr %q; ret void
fields in bounds | i32 (ptr %p) | %s = load {i32, i32}, ptr %p; %x = extractvalue {i32, i32} %s, 1; ret i32 %x | %q = getelementptr inbounds i8, ptr %p, i64 4; %x = load i32, ptr %q; ret i32 %x
stored fields in bounds | void (ptr %p) | store {i8, i8} {i8 1, i8 2}, ptr %p; ret void | %q = getelementptr inbounds i8, ptr %p, i64 1; store i8 1, ptr %p; store i8 2, ptr %q; ret void
filled bytes in bounds | void (ptr %p) | call void @llvm.memset.p0.i64(ptr %p, i8 7, i64 2, i1 false); ret void | %q = getelementptr inbounds i8, ptr %p, i64 1; store i8 7, ptr %p; store i8 7, ptr %q; ret void
dead store | void (ptr %p) | store i32 1, ptr %p; store i32 2, ptr %p; ret void | store i32 2, ptr %p; ret void
no-op store | void (ptr %p) | %a = load i32, ptr %p; store i32 %a, ptr %p; ret void | %a = load i32, ptr %p; ret void
forwarded store | i32 (ptr %p, i32 %a) | store i32 %a, ptr %p; %x = load i32, ptr %p; ret i32 %x | store i32 %a, ptr %p; ret i32 %a
forwarded load | i32 (ptr %p) | %a = load i32, ptr %p; %b = load i32, ptr %p; %x = sub i32 %a, %b; ret i32 %x | ret i32 0
stores to different offsets | void (ptr %p) | %q = getelementptr i8, ptr %p, i64 4; store i32 1, ptr %p; store i32 2, ptr %q; ret void | %q = getelementptr i8, ptr %p, i64 4; store i32 2, ptr %q; store i32 1, ptr %p; ret void
local to value | i32 (i32 %a) | %p = alloca i32; store i32 %a, ptr %p; %x = load i32, ptr %p; ret i32 %x | ret i32 %a
punned local | i32 (float %a) | %p = alloca float; store float %a, ptr %p; %x = load i32, ptr %p; ret i32 %x | %x = bitcast float %a to i32; ret i32 %x
local and argument | i32 (ptr %q) | %p = alloca i32; store i32 1, ptr %p; store i32 2, ptr %q; %x = load i32, ptr %p; ret i32 %x | store i32 2, ptr %q; ret i32 1
uninitialized local | i32 () | %p = alloca i32; %x = load i32, ptr %p; ret i32 %x | ret i32 7
globals do not overlap | i32 () | store i32 1, ptr @g; store i32 2, ptr @h; %x = load i32, ptr @g; ret i32 %x | store i32 1, ptr @g; store i32 2, ptr @h; ret i32 1
constant global | i32 () | %x = load i32, ptr @k; ret i32 %x | ret i32 11
spaces do not overlap | i32 (ptr addrspace(1) %p, ptr addrspace(3) %q) | store i32 1, ptr addrspace(1) %p; store i32 2, ptr addrspace(3) %q; %x = load i32, ptr addrspace(1) %p; ret i32 %x | store i32 1, ptr addrspace(1) %p; store i32 2, ptr addrspace(3) %q; ret i32 1
undef branch kept | i32 () | br i1 undef, label %t, label %t; t:; %x = add i32 0, 1; ret i32 %x | br i1 undef, label %t, label %t; t:; ret i32 1
dead store to a local | void (ptr %q) | %p = alloca i32; %x = load i32, ptr %q; store i32 %x, ptr %p; ret void | %x = load i32, ptr %q; ret void
load of a constant table | i32 (ptr %p, i32 %i) | %q = getelementptr [2 x i32], ptr @t, i32 0, i32 %i; %a = load i32, ptr %q; store i8 4, ptr %p; %b = load i32, ptr %q; %x = sub i32 %a, %b; ret i32 %x | %q = getelementptr [2 x i32], ptr @t, i32 0, i32 %i; %a = load i32, ptr %q; store i8 4, ptr %p; ret i32 0
set | void (ptr %p) | call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 4, i1 false); ret void | store i32 16843009, ptr %p, align 1; ret void
same call | i32 (i32 %a) | %x = mul i32 %a, 2; %y = call i32 @get(i32 %x); ret i32 %y | %x = shl i32 %a, 1; %y = call i32 @get(i32 %x); ret i32 %y
thread index | i1 () | %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(); %x = icmp ult i32 %t, 1024; ret i1 %x | ret i1 true
same thread index | i32 () | %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(); %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(); %x = sub i32 %t, %u; ret i32 %x | ret i32 0
minus zero | float (float %a) | %x = fadd float %a, -0.0; ret float %x | ret float %a
double negation | float (float %a) | %x = fneg float %a; %y = fneg float %x; ret float %y | ret float %a
exact reciprocal | half (half %a) | %x = fdiv half %a, 4.0; ret half %x | %x = fmul half %a, 0.25; ret half %x
inverted ordered fcmp | i1 (float %a, float %b) | %x = fcmp olt float %a, %b; %y = xor i1 %x, true; ret i1 %y | %y = fcmp uge float %a, %b; ret i1 %y
nnan comparison | i1 (float %a) | %x = fcmp nnan oeq float %a, %a; ret i1 %x | ret i1 true
no signed zeros | float (float %a) | %x = fadd nsz float %a, 0.0; ret float %x | ret float %a
same loose op | float (float %a, float %b) | %x = fmul fast float %a, %b; %y = fmul fast float %a, %b; %z = fsub float %x, %y; ret float %z | %x = fmul fast float %a, %b; %z = fsub float %x, %x; ret float %z
vector by lane | <2 x i32> (<2 x i32> %v) | %x = mul <2 x i32> %v, <i32 2, i32 4>; ret <2 x i32> %x | %x = shl <2 x i32> %v, <i32 1, i32 2>; ret <2 x i32> %x
insert and extract | i32 (<2 x i32> %v, i32 %a) | %w = insertelement <2 x i32> %v, i32 %a, i32 1; %x = extractelement <2 x i32> %w, i32 1; ret i32 %x | ret i32 %a
fields | {i32, i32} ({i32, i32} %s) | %a = extractvalue {i32, i32} %s, 0; %t = insertvalue {i32, i32} %s, i32 %a, 0; ret {i32, i32} %t | ret {i32, i32} %s
inbounds dropped | ptr (ptr %p) | %q = getelementptr inbounds i8, ptr %p, i64 4; ret ptr %q | %q = getelementptr i8, ptr %p, i64 4; ret ptr %q
merged inbounds | ptr (ptr %p) | %q = getelementptr inbounds i8, ptr %p, i64 4; %r = getelementptr inbounds i8, ptr %q, i64 4; ret ptr %r | %r = getelementptr inbounds i8, ptr %p, i64 8; ret ptr %r
switch to branch | i32 (i32 %a) | switch i32 %a, label %d [i32 1, label %o]; o:; ret i32 1; d:; ret i32 0 | %c = icmp eq i32 %a, 1; br i1 %c, label %o, label %d; o:; ret i32 1; d:; ret i32 0
loop body | i32 (i32 %n) | br label %h; h:; %i = phi i32 [0, %0], [%j, %h]; %k = mul i32 %i, 2; %j = add i32 %k, 1; %c = icmp ult i32 %j, %n; br i1 %c, label %h, label %e; e:; ret i32 %j | br label %h; h:; %i = phi i32 [0, %0], [%j, %h]; %k = shl i32 %i, 1; %j = add i32 %k, 1; %c = icmp ult i32 %j, %n; br i1 %c, label %h, label %e; e:; ret i32 %j
loop of stores | void (ptr %p, i32 %n) | br label %h; h:; %i = phi i32 [0, %0], [%j, %h]; store i32 %i, ptr %p; store i32 7, ptr %p; %j = add i32 %i, 1; %c = icmp ult i32 %j, %n; br i1 %c, label %h, label %e; e:; ret void | br label %h; h:; %i = phi i32 [0, %0], [%j, %h]; store i32 7, ptr %p; %j = add i32 %i, 1; %c = icmp ult i32 %j, %n; br i1 %c, label %h, label %e; e:; ret void
poison operand of a call refined | void () | %x = add nsw i32 2147483647, 1; call void @ext(i32 %x); ret void | call void @ext(i32 7); ret void
undef operand of a call refined | void () | call void @ext(i32 undef); ret void | call void @ext(i32 7); ret void
result of a call refined | i32 () | %x = add nsw i32 2147483647, 1; %y = call i32 @get(i32 %x); ret i32 %y | %y = call i32 @get(i32 7); ret i32 %y
partly undef operand of a call refined | void () | %x = or i32 undef, 1; call void @ext(i32 %x); ret void | call void @ext(i32 3); ret void
undef argument used less | i32 (i32 %a) | %x = add i32 %a, %a; ret i32 %x | %x = shl i32 %a, 1; ret i32 %x
undef argument frozen | i32 (i32 %a) | %x = mul i32 %a, 3; ret i32 %x | %f = freeze i32 %a; %s = shl i32 %f, 1; %x = add i32 %s, %f; ret i32 %x
undef argument stored | i32 (ptr %p, i32 %a) | %x = add i32 %a, 1; store i32 %x, ptr %p; %y = load i32, ptr %p; ret i32 %y | %x = add i32 %a, 1; store i32 %x, ptr %p; ret i32 %x
pointer copied | void (ptr %p, ptr %q) | call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false); ret void | call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false); ret void
pointer through memory | ptr (ptr %p, ptr %q) | store ptr %q, ptr %p; %x = load ptr, ptr %p; ret ptr %x | store ptr %q, ptr %p; ret ptr %q
range of a result by itself | i1 (i32 %a) | %x = call range(i32 1, 33) i32 @llvm.ctpop.i32(i32 %a); %c = icmp ne i32 %x, 0; ret i1 %c | ret i1 true
undef bits of memory kept | void (ptr %p) | %x = load i8, ptr %p; %y = add i8 %x, 0; store i8 %y, ptr %p; ret void | %x = load i8, ptr %p; ret void
undef bits of memory copied | void (ptr %p, ptr %q) | %x = load i16, ptr %p; %y = or i16 %x, 0; store i16 %y, ptr %q; ret void | %x = load i16, ptr %p; store i16 %x, ptr %q; ret void
loop of three iterations | i32 () | br label %h; h:; %i = phi i32 [0, %0], [%j, %h]; %j = add i32 %i, 1; %c = icmp ult i32 %j, 3; br i1 %c, label %h, label %e; e:; ret i32 %j | ret i32 3
dropped loose flags | float (float %a, float %b) | %x = fadd fast float %a, %b; ret float %x | %x = fadd float %a, %b; ret float %x
dropped flag of a zero's sign | float (float %a, float %b) | %x = fadd nsz float %a, %b; ret float %x | %x = fadd float %a, %b; ret float %x
reordered sum | float (float %a, float %b, float %c) | %x = fadd fast float %a, %b; %y = fadd fast float %x, %c; ret float %y | %x = fadd fast float %b, %c; %y = fadd fast float %a, %x; ret float %y
reordered sum without nnan | float (float %a, float %b, float %c) | %x = fadd reassoc nsz float %a, %b; %y = fadd reassoc nsz float %x, %c; ret float %y | %x = fadd reassoc nsz float %b, %c; %y = fadd reassoc nsz float %a, %x; ret float %y
reordered sum with fewer flags | float (float %a, float %b, float %c) | %x = fadd fast float %a, %b; %y = fadd fast float %x, %c; ret float %y | %x = fadd reassoc nnan float %b, %c; %y = fadd reassoc nnan float %a, %x; ret float %y
reordered product of sums | float (float %a, float %b, float %c) | %s = fadd reassoc nsz float %a, %b; %n = fneg reassoc nsz float %c; %x = fmul reassoc nsz float %s, %n; ret float %x | %t = fadd reassoc nsz float %b, %a; %m = fmul reassoc nsz float %c, %t; %x = fneg reassoc nsz float %m; ret float %x
reordered sum of vectors | <2 x float> (<2 x float> %a, <2 x float> %b, <2 x float> %c) | %x = fadd fast <2 x float> %a, %b; %y = fadd fast <2 x float> %x, %c; ret <2 x float> %y | %x = fadd fast <2 x float> %b, %c; %y = fadd fast <2 x float> %a, %x; ret <2 x float> %y
negation in a sum | float (float %a, float %b) | %n = fneg float %a; %x = fadd fast float %n, %b; %y = fadd fast float %x, %b; ret float %y | %x = fmul fast float %b, 2.0; %y = fsub fast float %x, %a; ret float %y
factored sum | float (float %a, float %b, float %c) | %x = fmul fast float %a, %b; %y = fmul fast float %a, %c; %z = fadd fast float %x, %y; ret float %z | %x = fadd fast float %b, %c; %z = fmul fast float %a, %x; ret float %z
sum as a product | float (float %a) | %x = fadd fast float %a, %a; ret float %x | %x = fmul fast float %a, 2.0; ret float %x
product as a sum | float (float noundef %a) | %x = fmul fast float %a, 2.0; ret float %x | %x = fadd fast float %a, %a; ret float %x
fourth power | float (float %a) | %x = fmul fast float %a, %a; %y = fmul fast float %x, %a; %z = fmul fast float %y, %a; ret float %z | %x = fmul fast float %a, %a; %y = fmul fast float %x, %x; ret float %y
folded constants of a sum | float (float %a) | %x = fadd fast float %a, 1.0; %y = fsub fast float %x, 3.0; ret float %y | %y = fadd fast float %a, -2.0; ret float %y
rounded constant of a product | float (float %a) | %x = fmul fast float %a, 0x3FB99999A0000000; %y = fmul fast float %x, 0x3FC99999A0000000; ret float %y | %y = fmul fast float %a, 0x3F947AE160000000; ret float %y
reciprocal of a constant | float (float %a) | %x = fdiv fast float %a, 3.0; ret float %x | %x = fmul fast float %a, 0x3FD5555560000000; ret float %x
cancelled operand | float (float %a, float %b) | %x = fadd fast float %a, %b; %y = fsub fast float %x, %a; ret float %y | ret float %b
cancelled operand, negative | float (float %a, float %b) | %x = fsub fast float %a, %b; %y = fsub fast float %x, %a; ret float %y | %y = fneg float %b; ret float %y
cancelled sum of floats | float (float %a) | %x = fsub fast float %a, %a; ret float %x | ret float -0.0
constant sum | float (float %a) | %x = fadd fast float %a, 3.0; %y = fsub fast float %x, %a; ret float %y | ret float 3.0
same sum in another order | float (float %a, float %b, float %c) | %x = fadd fast float %a, %b; %y = fadd fast float %x, %c; %z = fadd fast float %b, %c; %w = fadd fast float %z, %a; %v = fmul float %y, %w; ret float %v | %x = fadd fast float %a, %b; %y = fadd fast float %x, %c; %v = fmul float %y, %y; ret float %v
"""

UNSUPPORTED = """
other pointer with the same address | ptr (ptr %p, ptr %q) | %i = ptrtoint ptr %p to i64; %j = ptrtoint ptr %q to i64; %d = sub i64 %j, %i; %x = getelementptr i8, ptr %p, i64 %d; ret ptr %x | ret ptr %q | proved only apart from origins of pointers
access through a pointer with the same address | i32 (ptr %p, ptr %q) | %c = icmp eq ptr %p, %q; br i1 %c, label %t, label %e; t:; %x = load i32, ptr %p; ret i32 %x; e:; ret i32 0 | %c = icmp eq ptr %p, %q; br i1 %c, label %t, label %e; t:; %x = load i32, ptr %q; ret i32 %x; e:; ret i32 0 | proved only apart from origins of pointers
pointer through an integer | ptr (ptr %p) | ret ptr %p | %i = ptrtoint ptr %p to i64; %q = inttoptr i64 %i to ptr; ret ptr %q | proved only apart from origins of pointers
pointer as an integer in memory | ptr (ptr %p) | %i = load i64, ptr %p; %q = inttoptr i64 %i to ptr; ret ptr %q | %q = load ptr, ptr %p; ret ptr %q | proved only apart from origins of pointers
bytes of a pointer copied | i32 (ptr %p, ptr %q) | call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 1, i1 false); ret i32 0 | %x = load i8, ptr %q; store i8 %x, ptr %p; ret i32 0 | proved only apart from origins of pointers
pointer operand of a call | void (ptr %p, ptr %q) | %c = icmp eq ptr %p, %q; call void @llvm.assume(i1 %c); call void @keep(ptr %p); ret void | %c = icmp eq ptr %p, %q; call void @llvm.assume(i1 %c); call void @keep(ptr %q); ret void | proved only apart from origins of pointers
captured argument | void (ptr nocapture %p) | %x = getelementptr inbounds i8, ptr null, i32 1; store ptr %x, ptr @g2; ret void | store ptr %p, ptr @g2; ret void | the body is proved, but not captured argument 0
new fact of an operand | void (ptr %p) | call void @keep(ptr %p); ret void | call void @keep(ptr readnone %p); ret void | llvm.readnone of llvm.call
call of a variadic function | i32 (i32 %a, ...) | ret i32 0 | ret i32 0 | variadic function
large copy | void (ptr %p, ptr %q) | call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 1000, i1 false); ret void | ret void | llvm.intr.memcpy of unknown or large size
copy of unknown size | void (ptr %p, ptr %q, i64 %n) | call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false); ret void | ret void | llvm.intr.memcpy of unknown or large size
volatile copy | void (ptr %p, ptr %q) | call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 4, i1 true); ret void | ret void | volatile llvm.intr.memcpy
variable alloca | i32 (i32 %n) | %p = alloca i32, i32 %n; store i32 1, ptr %p; %x = load i32, ptr %p; ret i32 %x | ret i32 1 | alloca of variable size
large value | i32 ([100 x i32] %a) | %x = extractvalue [100 x i32] %a, 0; ret i32 %x | ret i32 0 | value of more than 64 scalars
vector of addresses | <2 x ptr> (<2 x ptr> %p) | %q = getelementptr i8, <2 x ptr> %p, i64 4; ret <2 x ptr> %q | ret <2 x ptr> %p | getelementptr of vectors
vector of bits | void (ptr %p, <2 x i1> %v) | store <2 x i1> %v, ptr %p; ret void | ret void | vector of bits in memory
unknown op | float (float %a) | %x = call float @llvm.sin.f32(float %a); ret float %x | ret float %a | llvm.intr.sin
atomic access | i32 (ptr %p) | %x = load atomic i32, ptr %p monotonic, align 4; ret i32 %x | ret i32 0 | atomic access
large access | void (ptr %p, ptr %q) | %x = load [40 x i64], ptr %p; store [40 x i64] %x, ptr %q; ret void | ret void | access to more than 256 bytes
address of a local | i1 (ptr %q) | %p = alloca i32; %x = icmp eq ptr %p, %q; ret i1 %x | ret i1 false | address of a local object
noalias | i32 (ptr noalias %p, ptr %q) | store i32 1, ptr %p; store i32 2, ptr %q; %x = load i32, ptr %p; ret i32 %x | store i32 1, ptr %p; store i32 2, ptr %q; ret i32 1 | noalias argument
new bundle | void (ptr %p) | ret void | call void @llvm.assume(i1 true) ["align"(ptr %p, i64 8)]; ret void | operand bundle of llvm.intr.assume
"""
"""With the given reason."""

WRONG_REWRITES = """
reordered sum with one strict op | float (float %a, float %b, float %c) | %x = fadd  float %a, %b; %y = fadd fast float %x, %c; ret float %y | %x = fadd fast float %b, %c; %y = fadd fast float %a, %x; ret float %y | llvm.fadd
reordered strict sum of a loose one | float (float %a, float %b, float %c) | %x = fadd fast float %a, %b; %y = fadd  float %x, %c; ret float %y | %x = fadd fast float %b, %c; %y = fadd fast float %a, %x; ret float %y | llvm.fadd
reordered strict sum | half (half %a, half %b, half %c) | %x = fadd half %a, %b; %y = fadd half %x, %c; ret half %y | %x = fadd fast half %b, %c; %y = fadd fast half %a, %x; ret half %y | llvm.fadd
reordered sum without nsz | float (float %a, float %b, float %c) | %x = fadd reassoc float %a, %b; %y = fadd reassoc float %x, %c; ret float %y | %x = fadd reassoc float %b, %c; %y = fadd reassoc float %a, %x; ret float %y | llvm.fadd
reordered sum without reassoc | float (float %a, float %b, float %c) | %x = fadd nnan ninf nsz contract float %a, %b; %y = fadd nnan ninf nsz contract float %x, %c; ret float %y | %x = fadd nnan ninf nsz contract float %b, %c; %y = fadd nnan ninf nsz contract float %a, %x; ret float %y | llvm.fadd
reordered sum with new nnan | float (float %a, float %b, float %c) | %x = fadd reassoc nsz float %a, %b; %y = fadd reassoc nsz float %x, %c; ret float %y | %x = fadd reassoc nsz nnan float %b, %c; %y = fadd reassoc nsz float %a, %x; ret float %y | llvm.fadd
reordered sum with ninf of one op | float (float %a, float %b, float %c) | %x = fadd reassoc nsz nnan ninf float %a, %b; %y = fadd reassoc nsz nnan float %x, %c; ret float %y | %x = fadd reassoc nsz nnan ninf float %b, %c; %y = fadd reassoc nsz nnan float %a, %x; ret float %y | llvm.fadd
reordered sum with ninf but without nnan | float (float %a, float %b, float %c) | %x = fadd reassoc nsz ninf float %a, %b; %y = fadd reassoc nsz ninf float %x, %c; ret float %y | %x = fadd reassoc nsz ninf float %b, %c; %y = fadd reassoc nsz ninf float %a, %x; ret float %y | llvm.fadd
reordered sum with new arcp | float (float %a, float %b, float %c) | %x = fadd reassoc nsz float %a, %b; %y = fadd reassoc nsz arcp float %x, %c; ret float %y | %x = fadd reassoc nsz float %b, %c; %y = fadd reassoc nsz arcp float %a, %x; ret float %y | llvm.fadd
sum with another sign | float (float %a, float %b, float %c) | %x = fadd fast float %a, %b; %y = fadd fast float %x, %c; ret float %y | %x = fsub fast float %b, %c; %y = fadd fast float %a, %x; ret float %y | llvm.fadd, llvm.fsub
sum with another sign after a product by one | half (half %a, half %b, half %c) | %x = fadd fast half %a, %b; %y = fmul fast half %x, 1.0; %z = fadd fast half %y, %c; ret half %z | %x = fadd fast half %a, %b; %y = fmul fast half %x, 1.0; %z = fsub fast half %y, %c; ret half %z | llvm.fadd, llvm.fmul, llvm.fsub
sum of other operands | float (float %a, float %b, float %c) | %x = fadd fast float %a, %b; %y = fadd fast float %x, %c; ret float %y | %x = fadd fast float %b, %b; %y = fadd fast float %a, %x; ret float %y | llvm.fadd
sum with a cancelled new operand | float (float %a, float %b, float noundef %c) | %x = fadd fast float %a, %b; ret float %x | %x = fadd fast float %a, %c; %y = fsub fast float %b, %c; %z = fadd fast float %x, %y; ret float %z | llvm.fadd, llvm.fsub
sum as another product | half (half %a) | %x = fadd fast half %a, %a; ret half %x | %x = fmul fast half %a, 3.0; ret half %x | llvm.fadd, llvm.fmul
product of undef as a sum | half (half %a) | %x = fmul fast half %a, 2.0; ret half %x | %x = fadd fast half %a, %a; ret half %x | llvm.fadd, llvm.fmul
factored sum without nnan | float (float %a, float %b, float %c) | %x = fmul reassoc nsz float %a, %b; %y = fmul reassoc nsz float %a, %c; %z = fadd reassoc nsz float %x, %y; ret float %z | %x = fadd reassoc nsz float %b, %c; %z = fmul reassoc nsz float %a, %x; ret float %z | llvm.fadd, llvm.fmul
folded constant of a strict product | half (half %a) | %x = fmul half %a, 0xH2E66; %y = fmul fast half %x, 0xH3266; ret half %y | %y = fmul fast half %a, 0xH251E; ret half %y | llvm.fmul
constant that is not the nearest | half (half %a) | %x = fmul fast half %a, 0xH2E66; %y = fmul fast half %x, 0xH3266; ret half %y | %y = fmul fast half %a, 0xH2520; ret half %y | llvm.fmul
reciprocal without arcp | half (half %a) | %x = fdiv reassoc nnan ninf nsz half %a, 3.0; ret half %x | %x = fmul reassoc nnan ninf nsz half %a, 0xH3555; ret half %x | llvm.fdiv, llvm.fmul
cancelled operand without nnan | half (half %a) | %x = fsub reassoc nsz half %a, %a; ret half %x | ret half 0.0 | llvm.fsub
cancelled operand without reassoc | half (half %a, half %b) | %x = fadd nnan ninf nsz contract half %a, %b; %y = fsub nnan ninf nsz contract half %x, %a; ret half %y | ret half %b | llvm.fadd, llvm.fsub
sum in place of an operand | float (float %a, float %b) | %x = fadd fast float %a, %b; %y = fsub fast float %x, %a; ret float %b | %x = fadd fast float %a, %b; %y = fsub fast float %x, %a; ret float %y | llvm.fadd, llvm.fsub
flags of another op | [2 x float] (float %a, float %b, float %c) | %x = fadd reassoc nsz nnan float %a, %b; %y = fadd reassoc nsz nnan float %x, %c; %z = fadd reassoc nsz nnan arcp float %a, %b; %w = fadd reassoc nsz nnan arcp float %z, %c; %p = insertvalue [2 x float] undef, float %y, 0; %q = insertvalue [2 x float] %p, float %y, 1; ret [2 x float] %q | %x = fadd reassoc nsz nnan float %a, %b; %y = fadd reassoc nsz nnan float %x, %c; %u = fadd reassoc nsz nnan arcp float %b, %c; %v = fadd reassoc nsz nnan arcp float %a, %u; %p = insertvalue [2 x float] undef, float %y, 0; %q = insertvalue [2 x float] %p, float %v, 1; ret [2 x float] %q | llvm.fadd
third power for the fourth | half (half %a) | %x = fmul fast half %a, %a; %y = fmul fast half %x, %a; %z = fmul fast half %y, %a; ret half %z | %x = fmul fast half %a, %a; %y = fmul fast half %x, %a; ret half %y | llvm.fmul
payload of a copied sum | i1 (float %a, float %b) | %x = fadd reassoc float %a, %b; %i = bitcast float %x to i32; %c = icmp eq i32 %i, %i; ret i1 %c | %x = fadd reassoc float %a, %b; %y = fadd reassoc float %a, %b; %i = bitcast float %x to i32; %j = bitcast float %y to i32; %c = icmp eq i32 %i, %j; ret i1 %c | llvm.fadd
"""
"""Results that fast-math flags do not allow. They are never proved; the flags make the verdict
"not supported"."""

DECLARATIONS = """
@g = global i32 0
@h = global i32 0
@k = constant i32 11
@t = external constant [2 x i32]
declare void @ext(i32)
declare i32 @get(i32)
declare void @keep(ptr)
@g2 = global ptr null
"""

ATTRIBUTES = """
no memory | i32 (i32 %a) | memory(none) nosync | ret i32 %a | proved
no memory, but a load | i32 (ptr %p) | memory(none) | %x = load i32, ptr %p; ret i32 %x | the body is proved, but not memory effects
local memory | i32 (i32 %a) | memory(none) | %p = alloca i32; store i32 %a, ptr %p; %x = load i32, ptr %p; ret i32 %x | proved
memory of arguments | i32 (ptr %p) | memory(argmem: read) | %q = getelementptr i8, ptr %p, i64 4; %x = load i32, ptr %q; ret i32 %x | proved
memory of arguments, but a global | i32 (ptr %p) | memory(argmem: read) | %x = load i32, ptr @g; ret i32 %x | the body is proved, but not memory effects
reads, but a store | void (ptr %p) | memory(read) | store i32 0, ptr %p; ret void | the body is proved, but not memory effects
calls | void () | memory(none) | call void @ext(i32 1); ret void | the body is proved, but not memory effects
volatile | i32 (ptr %p) | memory(argmem: read) | %x = load volatile i32, ptr %p; ret i32 %x | the body is proved, but not memory effects
returns | i32 (i32 %a) | willreturn | ret i32 %a | proved
returns, but a call | void () | willreturn | call void @ext(i32 1); ret void | the body is proved, but not will_return
returns, but a loop | i32 (i32 %n) | willreturn | br label %h; h:; %i = phi i32 [0, %0], [%j, %h]; %j = add i32 %i, 1; %c = icmp ult i32 %j, %n; br i1 %c, label %h, label %e; e:; ret i32 %j | the body is proved, but not will_return
no barriers, but a call | void () | nosync | call void @ext(i32 1); ret void | the body is proved, but not nosync
not recursive, but a call | void () | norecurse | call void @ext(i32 1); ret void | the body is proved, but not norecurse
unknown word | void () | "unheard-of" | ret void | the body is proved, but not unheard-of
"""
"""A function's signature, attributes that the optimized function adds, the body, and the verdict."""

FACTS = """
not captured | i32 (ptr %p) | i32 (ptr nocapture readonly %p) | %x = load i32, ptr %p; ret i32 %x | proved
captured | void (ptr %p) | void (ptr nocapture %p) | store ptr %p, ptr @g2; ret void | the body is proved, but not llvm.nocapture of argument 0
returned | ptr (ptr %p) | ptr (ptr nocapture %p) | ret ptr %p | the body is proved, but not llvm.nocapture of argument 0
read only, but a store | void (ptr %p) | void (ptr readonly %p) | %q = getelementptr i8, ptr %p, i64 4; store i32 0, ptr %q; ret void | the body is proved, but not llvm.readonly of argument 0
written only, but a load | i32 (ptr %p) | i32 (ptr writeonly %p) | %x = load i32, ptr %p; ret i32 %x | the body is proved, but not llvm.writeonly of argument 0
not accessed | i1 (ptr %p) | i1 (ptr readnone %p) | %c = icmp eq ptr %p, null; ret i1 %c | proved
not accessed, but a load | i32 (ptr %p) | i32 (ptr readnone %p) | %x = load i32, ptr %p; ret i32 %x | the body is proved, but not llvm.readnone of argument 0
passed on | void (ptr %p) | void (ptr nocapture %p) | call void @keep(ptr %p); ret void | the body is proved, but not llvm.nocapture of argument 0
fact of callers | i32 (i32 %a) | i32 (i32 range(i32 0, 5) %a) | ret i32 %a | the body is proved, but not llvm.range of argument 0
dropped fact | i32 (i32 noundef %a) | i32 (i32 %a) | ret i32 %a | proved
range of the result | i32 (i32 noundef %a) | range(i32 0, 8) i32 (i32 noundef %a) | %x = and i32 %a, 7; ret i32 %x | proved
wrong range of the result | i32 (i32 noundef %a) | range(i32 0, 7) i32 (i32 noundef %a) | %x = and i32 %a, 7; ret i32 %x | refuted
defined result | i32 (i32 noundef %a) | noundef i32 (i32 noundef %a) | ret i32 %a | proved
result that may be poison | i32 (i32 %a) | noundef i32 (i32 %a) | ret i32 %a | refuted
alignment of the result | ptr (ptr %p) | align 8 ptr (ptr %p) | ret ptr %p | the body is proved, but not llvm.align of the result
"""
"""Signatures before and after, the body, and the verdict."""


def rows(table: str) -> list[list[str]]:
    """The rows of a table as lists of their columns."""
    return [[part.strip() for part in line.split(" | ")] for line in table.strip().splitlines()]


def module_text(signature: str, body: str) -> str:
    """A module with one function `@f`."""
    result, _, parameters = signature.partition(" (")
    if result.endswith(","):
        raise ValueError(signature)
    lines = "\n  ".join(line.strip() for line in body.split(";"))
    return f"{DECLARATIONS}\ndefine {result} @f({parameters} {{\n  {lines}\n}}\n"
