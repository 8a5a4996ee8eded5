import type { DialectCodec } from '../../contract/dialect.ts'
import { undoHints, withHints } from '../neutral/answer-hints.ts'
import { buildRequest } from './build-request.ts'
import { editReasoning } from './build-thinking.ts'
import { readError, streamError, writeError } from './errors.ts'
import { forgetThoughts, mendHistory } from './history.ts'
import { parseAnswer } from './parse-answer.ts'
import { parseRequest } from './parse-request.ts'
import { MessagesStreamParser } from './parse-stream.ts'
import { passAnswer, passFilter } from './pass.ts'
import { writeAnswer } from './write-answer.ts'
import { MessagesStreamWriter } from './write-stream.ts'

export const anthropicMessages: DialectCodec = Object.freeze<DialectCodec>({
  id: 'anthropic-messages',
  parseRequest,
  buildRequest,
  editReasoning,
  mendHistory,
  forgetThoughts,
  parseAnswer: (body, hints) => undoHints(hints)(parseAnswer(body)),
  streamParser: (hints) => withHints(new MessagesStreamParser(hints), hints),
  writeAnswer,
  streamWriter: (meta) => new MessagesStreamWriter(meta),
  writeError,
  readError,
  passFilter,
  passAnswer,
  streamError,
  ping: 'event: ping\ndata: {"type": "ping"}\n\n',
})
