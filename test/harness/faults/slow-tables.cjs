// For NODE_OPTIONS=--require: a machine so busy that loading the tables of an encoding keeps the process for four seconds.
const Module = require('node:module')

const load = Module._load
Module._load = function (name, ...rest) {
  if (String(name).startsWith('gpt-tokenizer/encoding/'))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000)
  return load.call(this, name, ...rest)
}
