import type { DialectCodec } from '../../contract/dialect.ts'
import { undoHints, withHints } from '../neutral/answer-hints.ts'
import { buildRequest, editReasoning } from './build-request.ts'
import { canPass } from './custom-tools.ts'
import { readError, streamError, writeError } from './errors.ts'
import { mendHistory } from './history.ts'
import { parseAnswer } from './parse-answer.ts'
import { parseRequest } from './parse-request.ts'
import { ChatStreamParser } from './parse-stream.ts'
import { passAnswer, passFilter } from './pass.ts'
import { writeAnswer } from './write-answer.ts'
import { ChatStreamWriter } from './write-stream.ts'

export const openaiChat: DialectCodec = Object.freeze<DialectCodec>({
  id: 'openai-chat',
  parseRequest,
  buildRequest,
  editReasoning,
  canPass,
  mendHistory,
  // This dialect has no sealed reasoning.
  forgetThoughts: (body) => body,
  parseAnswer: (body, hints) => undoHints(hints)(parseAnswer(body)),
  streamParser: (hints) => withHints(new ChatStreamParser(), hints),
  writeAnswer,
  streamWriter: (meta) => new ChatStreamWriter(meta),
  writeError,
  readError,
  passFilter,
  passAnswer,
  streamError,
  ping: ': PING\n\n',
})
