import { object, type RelayCall, text } from './call.ts'
import { anthropicCalls } from './anthropic.ts'
import { geminiActions, geminiCalls } from './gemini.ts'
import { mediaCalls } from './media.ts'
import { openaiCalls } from './openai.ts'
import { taskCalls } from './tasks.ts'

export type { RelayCall }

/** Served under both paths that OpenAI clients use. */
function dashboard(name: string, summary: string): Record<string, RelayCall> {
  const description =
    'As clients of OpenAI ask for it; the figures are those of the token or its owner.'
  const call = { summary, description }
  return {
    [`GET /dashboard/billing/${name}`]: call,
    [`GET /v1/dashboard/billing/${name}`]: call,
  }
}

const calls: Readonly<Record<string, RelayCall>> = {
  ...openaiCalls,
  ...anthropicCalls,
  ...geminiCalls,
  ...mediaCalls,
  ...taskCalls,
  ...dashboard('subscription', 'What may be spent'),
  ...dashboard('usage', 'What was spent'),
}

/** OpenAI clients call these paths, but the gateway stores no files and no batches. */
const unserved =
  /^\/v1\/(?:edits|images\/variations|(?:files|fine-tunes|fine_tuning|batches|assistants)(?:\/\*)?)$/

/** The description of a relay route; undefined for a plugin's route. */
export function relayCallOf(method: string, path: string): RelayCall | undefined {
  if (unserved.test(path) || (method === 'DELETE' && path === '/v1/models/*'))
    return { summary: 'Not served: answers 501' }
  return calls[`${method} ${path}`]
}

/** The calls behind one route, with their paths and parameters as the document writes them. */
export const callsBehind: ReadonlyMap<string, ReadonlyMap<string, RelayCall>> = new Map([
  [
    'POST /v1beta/models/*',
    new Map(
      Object.entries(geminiActions).map(([action, call]) => [
        `/v1beta/models/{model}:${action}`,
        call,
      ]),
    ),
  ],
  ['POST /v1/models/*', new Map()],
])

export const modelInPath = object({ model: text('A name of the list of models.') }, ['model'])
export const restOfPath = object({ rest: text('One part of the path, or several.') }, ['rest'])
