import {
  type ChatRequest,
  errorType,
  isObject,
  type JsonObject,
  type Turn,
} from 'tollgate/contract'

/** What its programs read as a 400. */
const unclear = errorType<{ field: string }>('acme.unclear', 400, {
  en: '“{field}” is missing or cannot be read.',
  zh: '“{field}”缺失或无法读取。',
})

/** `{ model, talk: [{ who: 'me' | 'you', words }], limit?, stream? }`. Nobody checked it before: look at every field. @throws AppError */
export function readQuestion({ model, talk, limit, stream }: JsonObject): ChatRequest {
  if (typeof model !== 'string') throw unclear({ field: 'model' })
  if (!Array.isArray(talk)) throw unclear({ field: 'talk' })
  if (limit !== undefined && typeof limit !== 'number') throw unclear({ field: 'limit' })
  return {
    model,
    system: [],
    turns: talk.map(readTurn),
    tools: [],
    hostedTools: [],
    stream: stream === true,
    includeUsage: false,
    ...(limit === undefined ? {} : { maxTokens: limit }),
  }
}

function readTurn(turn: unknown): Turn {
  if (!isObject(turn) || typeof turn['words'] !== 'string') throw unclear({ field: 'talk' })
  const role = turn['who'] === 'you' ? 'model' : 'user'
  return { role, parts: [{ kind: 'text', text: turn['words'] }] }
}
