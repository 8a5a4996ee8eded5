import type { DialectCodec } from '../../contract/dialect.ts'
import { codecs } from '../../dialects/index.ts'
import { completionsCodec } from './completions-codec.ts'
import type { RelayCall } from '../call/relay-call.ts'

/** The codec that speaks with the client of a chat call: its dialect's, that of the legacy text form, or a plugin's. */
export function clientCodec(
  call: Pick<RelayCall, 'dialect' | 'operation' | 'ownCodec'>,
): DialectCodec {
  return call.ownCodec ?? bodyCodec(call)
}

/** The codec of its body. */
export function bodyCodec(call: Pick<RelayCall, 'dialect' | 'operation'>): DialectCodec {
  return call.operation === 'completions' ? completionsCodec : codecs[call.dialect]
}
