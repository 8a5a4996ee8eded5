import type { ClientDialect } from '../../contract/client-dialect.ts'
import { codecs } from '../../dialects/index.ts'
import type { ClientCodec } from '../call/relay-call.ts'

type Written = Pick<ClientDialect, 'writeAnswer' | 'streamWriter' | 'writeError' | 'streamError'> &
  Pick<Partial<ClientDialect>, 'ping' | 'streamType'>

/** Nothing is passed through in such a dialect, so the parts of a codec that serve pass-through are never called. */
export function codecOf(dialect: Written): ClientCodec {
  return {
    ...codecs['openai-chat'],
    writeAnswer: (events, meta) => dialect.writeAnswer(events, meta),
    streamWriter: (meta) => dialect.streamWriter(meta),
    writeError: (error) => dialect.writeError(error),
    streamError: (error) => dialect.streamError(error),
    ping: dialect.ping ?? codecs['openai-chat'].ping,
    streamType: dialect.streamType,
  }
}
