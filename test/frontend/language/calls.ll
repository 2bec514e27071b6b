target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @f(i32)
declare void @v(ptr, ...)
define i32 @g(ptr %fp, i32 %n) {
  %a = tail call i32 @f(i32 %n)
  %b = notail call i32 %fp(i32 %n)
  %c = call fast float (float, ...) %fp(float 1.0, i32 5)
  call void (ptr, ...) @v(ptr null, i32 1)
  call void @v(ptr null)
  %d = call i64 @f(i64 5)
  call void asm sideeffect inteldialect "x", "*m,~{memory}"(ptr elementtype(i32) %fp)
  switch i32 %n, label %x [ ]
x:
  %i = phi i32 [ 1, %0 ], [ %i2, %x ]
  %i2 = add i32 %i, 1
  %q = icmp eq i32 %i2, 3
  br i1 %q, label %x, label %y
y:
  switch i32 %i, label %x2 [ i32 1, label %y2
    i32 2, label %x2 ]
x2:
  %p = phi i32 [ 1, %y], [1, %y]
  ret i32 %p
y2:
  unreachable
}
