;; A policy in the binary interface of OPA's compiled policies (ABI 1.2), written by hand: data.matchers.allowed is true
;; when the input calls a function build_car, not true otherwise, and undefined for an empty program;
;; data.matchers.text is no truth value; data.matchers.broken traps.
;; A value is the address of its JSON text here. `wat2wasm one-function.wat -o one-function.wasm` makes the other file.
(module
  (import "env" "memory" (memory 2))
  (global (export "opa_wasm_abi_version") i32 (i32.const 1))
  (global (export "opa_wasm_abi_minor_version") i32 (i32.const 2))
  (global $heap (mut i32) (i32.const 4096))
  (data (i32.const 16) "{}\00")
  (data (i32.const 32) "{\"matchers/allowed\":0,\"matchers/text\":1,\"matchers/broken\":2}\00")
  (data (i32.const 128) "[{\"result\":true}]\00")
  (data (i32.const 160) "[{\"result\":false}]\00")
  (data (i32.const 192) "[]\00")
  (data (i32.const 208) "[{\"result\":\"yes\"}]\00")
  (data (i32.const 256) "\"function\":\"build_car\"")
  (data (i32.const 320) "\"commands\":[]")
  (func (export "builtins") (result i32) (i32.const 16))
  (func (export "entrypoints") (result i32) (i32.const 32))
  (func (export "opa_heap_ptr_get") (result i32) (global.get $heap))
  (func (export "opa_heap_ptr_set") (param i32) (global.set $heap (local.get 0)))
  (func (export "opa_malloc") (param i32) (result i32)
    (global.get $heap)
    (global.set $heap (i32.add (global.get $heap) (local.get 0))))
  (func (export "opa_json_parse") (param i32 i32) (result i32) (local.get 0))
  (func (export "opa_json_dump") (param i32) (result i32) (local.get 0))
  (func $contains (param $text i32) (param $length i32) (param $what i32) (param $size i32) (result i32)
    (local $at i32)
    (local $same i32)
    (block $none
      (loop $next
        (br_if $none (i32.gt_s (local.get $at) (i32.sub (local.get $length) (local.get $size))))
        (local.set $same (i32.const 0))
        (block $differs
          (loop $compare
            (if (i32.eq (local.get $same) (local.get $size)) (then (return (i32.const 1))))
            (br_if $differs
              (i32.ne
                (i32.load8_u (i32.add (i32.add (local.get $text) (local.get $at)) (local.get $same)))
                (i32.load8_u (i32.add (local.get $what) (local.get $same)))))
            (local.set $same (i32.add (local.get $same) (i32.const 1)))
            (br $compare)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.const 0))
  (func (export "opa_eval")
    (param $reserved i32) (param $entrypoint i32) (param $data i32)
    (param $input i32) (param $length i32) (param $heap_ptr i32) (param $format i32) (result i32)
    (if (i32.eq (local.get $entrypoint) (i32.const 2)) (then (unreachable)))
    (if (i32.eq (local.get $entrypoint) (i32.const 1)) (then (return (i32.const 208))))
    (if (call $contains (local.get $input) (local.get $length) (i32.const 320) (i32.const 13))
      (then (return (i32.const 192))))
    (if (call $contains (local.get $input) (local.get $length) (i32.const 256) (i32.const 22))
      (then (return (i32.const 128))))
    (i32.const 160)))
