import type { DialectCodec } from '../../contract/dialect.ts'
import { undoHints, withHints } from '../neutral/answer-hints.ts'
import { readError, writeError } from '../openai-chat/errors.ts'
import { buildRequest, editReasoning } from './build-request.ts'
import { streamError } from './errors.ts'
import { forgetThoughts, mendHistory } from './history.ts'
import { parseAnswer } from './parse-answer.ts'
import { parseRequest } from './parse-request.ts'
import { ResponsesStreamParser } from './parse-stream.ts'
import { passAnswer, passFilter } from './pass.ts'
import { writeAnswer } from './write-answer.ts'
import { ResponsesStreamWriter } from './write-stream.ts'

export const openaiResponses: DialectCodec = Object.freeze<DialectCodec>({
  id: 'openai-responses',
  parseRequest,
  buildRequest,
  editReasoning,
  mendHistory,
  forgetThoughts,
  parseAnswer: (body, hints) => undoHints(hints)(parseAnswer(body)),
  streamParser: (hints) => withHints(new ResponsesStreamParser(), hints),
  writeAnswer,
  streamWriter: (meta) => new ResponsesStreamWriter(meta),
  writeError,
  readError,
  passFilter,
  passAnswer,
  streamError,
  ping: ': PING\n\n',
})
