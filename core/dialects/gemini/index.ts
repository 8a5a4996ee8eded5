import type { DialectCodec } from '../../contract/dialect.ts'
import { undoHints, withHints } from '../neutral/answer-hints.ts'
import { buildRequest } from './build-request.ts'
import { editReasoning } from './build-thinking.ts'
import { errorStatus, readError, streamError, writeError } from './errors.ts'
import { forgetThoughts, mendHistory } from './history.ts'
import { parseAnswer } from './parse-answer.ts'
import { parseRequest } from './parse-request.ts'
import { GeminiStreamParser } from './parse-stream.ts'
import { BLANK, passAnswer, passFilter } from './pass.ts'
import { writeAnswer } from './write-answer.ts'
import { GeminiStreamWriter } from './write-stream.ts'

export const gemini: DialectCodec = Object.freeze<DialectCodec>({
  id: 'gemini',
  parseRequest,
  buildRequest,
  editReasoning,
  mendHistory,
  forgetThoughts,
  parseAnswer: (body, hints) => undoHints(hints)(parseAnswer(body, hints)),
  streamParser: (hints) => withHints(new GeminiStreamParser(hints), hints),
  writeAnswer,
  streamWriter: (meta) => new GeminiStreamWriter(meta),
  writeError,
  errorStatus,
  readError,
  passFilter,
  passAnswer,
  streamError,
  ping: BLANK,
})
