; RUN: echo "a b" | filecheck %s
; CHECK: a b
; RUN: not filecheck %s < %s --check-prefix=NONE 2>&1 \
; RUN:   | filecheck %s --check-prefix=ERR
; ERR: No check strings
; RUN-CLI: echo x > %t && cat %t | filecheck %s --check-prefix=X
; X: x
