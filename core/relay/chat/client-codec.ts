import type { DialectCodec } from '../../contract/dialect.ts'
import { codecs } from '../../dialects/index.ts'
import { completionsCodec } from './completions/completions-codec.ts'
import type { RelayCall } from '../call/relay-call.ts'

/** The codec for the answer to a chat call: that of its dialect, of the legacy text form, or of a plugin's dialect. */
export function clientCodec(
  call: Pick<RelayCall, 'dialect' | 'operation' | 'ownCodec'>,
): DialectCodec {
  return call.ownCodec ?? bodyCodec(call)
}

/** The codec for the call's body. */
export function bodyCodec(call: Pick<RelayCall, 'dialect' | 'operation'>): DialectCodec {
  return call.operation === 'completions' ? completionsCodec : codecs[call.dialect]
}
