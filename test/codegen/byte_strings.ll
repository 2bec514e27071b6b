; Byte strings that are not valid UTF-8, alone and within a struct.
;
; RUN: nvvm-cc %s -arch sm_80 -O0 | filecheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: .b8 raw[4] = {255, 65, 128, 1};
@raw = addrspace(1) global [4 x i8] c"\FFA\80\01"

; CHECK: .b8 pair[8] = {7, 0, 0, 0, 200, 34, 92};
@pair = addrspace(1) global { i32, [4 x i8] } { i32 7, [4 x i8] c"\C8\22\5C\00" }
