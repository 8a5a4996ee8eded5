import type { ClientDialect } from '../../contract/client-dialect.ts'
import { codecs } from '../../dialects/index.ts'
import type { ClientCodec } from '../call/relay-call.ts'

/** Nothing is passed through in a plugin's dialect, so the parts of a codec that serve pass-through are never called. */
export function codecOf(dialect: ClientDialect): ClientCodec {
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
