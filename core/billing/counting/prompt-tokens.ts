// Counts the tokens of prompts if the upstream reports none, and for count_tokens.
import type { ChatRequest, Part, ToolDeclaration } from '../../contract/neutral.ts'
import { countTokens } from './count-tokens.ts'
import { imageSizeOfBase64 } from './image-size.ts'
import { imageTokens } from './image-tokens.ts'

interface Weights {
  message: number
  tool: number
  reply: number
  file: number
  audio: number
}

const claudeWeights: Weights = { message: 2, tool: 3, reply: 0, file: 5000, audio: 100 }
const otherWeights: Weights = { message: 3, tool: 8, reply: 3, file: 4096, audio: 256 }

/** Without `readsImages` (GET_MEDIA_TOKEN), each picture counts as three times the model's base, whatever its size. */
export function countChatPrompt(
  request: ChatRequest,
  model: string,
  { readsImages = true }: { readsImages?: boolean } = {},
): number {
  const weights = model.startsWith('claude') ? claudeWeights : otherWeights
  const countParts = (parts: readonly Part[]): number =>
    parts.reduce((sum, part) => sum + partTokens(part, model, weights, readsImages, countParts), 0)

  let total = weights.reply
  if (request.system.length > 0) total += weights.message + 1 + countParts(request.system)
  for (const turn of request.turns) {
    // One token is the role's name.
    total += weights.message + 1 + countParts(turn.parts)
    if (turn.name) total += 1 + countTokens(turn.name, model)
  }
  for (const tool of request.tools) total += weights.tool + toolTokens(tool, model)
  return total
}

const MAX_DEPTH = 64
const mediaName = /image|video|audio/i

/** Counts the `input` of embeddings, moderations and decisions: a text, texts, token ids, objects, or lists of these. */
export function countInput(input: unknown, model: string, depth = 0): number {
  if (typeof input === 'string') return countTokens(input, model)
  if (typeof input === 'number') return 1
  if (Array.isArray(input)) {
    if (depth >= MAX_DEPTH) return 0
    return input.reduce<number>((sum, item) => sum + countInput(item, model, depth + 1), 0)
  }
  return typeof input === 'object' && input !== null ? countFields(input, model, depth) : 0
}

/** Counts all texts of an object, as some services take them, whatever the names of their fields. Fields named as
 *  pictures or similar count as one picture. */
function countFields(input: object, model: string, depth: number): number {
  if (depth >= MAX_DEPTH) return 0
  let total = 0
  for (const [name, value] of Object.entries(input)) {
    if (name === 'type') continue
    total += mediaName.test(name)
      ? imageTokens(model, undefined, undefined)
      : countInput(value, model, depth + 1)
  }
  return total
}

/** Counts the query and every document. */
export function countRerank(query: string, documents: readonly unknown[], model: string): number {
  return countTokens(query, model) + countInput(documents, model)
}

/** `tts…` models are sold by the character, other speech models by the token. */
export function countSpeech(input: string, model: string): number {
  return model.startsWith('tts') ? codePoints(input) : countTokens(input, model)
}

/** Characters as vendors count them: a surrogate pair is one. */
function codePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}

function partTokens(
  part: Part,
  model: string,
  weights: Weights,
  readsImages: boolean,
  countParts: (parts: readonly Part[]) => number,
): number {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return countTokens(part.text, model)
    case 'tool_call':
      return countTokens(part.name, model) + countTokens(part.arguments, model)
    case 'tool_result':
      return countParts(part.content)
    case 'image': {
      const seen = readsImages && part.source.type === 'base64' ? part.source.data : undefined
      const size = seen === undefined ? undefined : imageSizeOfBase64(seen)
      return imageTokens(model, size, part.detail)
    }
    case 'file':
      return part.source.type === 'text' ? countTokens(part.source.text, model) : weights.file
    case 'audio':
      return weights.audio
  }
}

function toolTokens(tool: ToolDeclaration, model: string): number {
  const parameters = tool.parameters ? JSON.stringify(tool.parameters) : ''
  return (
    countTokens(tool.name, model) +
    countTokens(tool.description ?? '', model) +
    countTokens(parameters, model)
  )
}
