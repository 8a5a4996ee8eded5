// Mistral answers 422 to every field that it does not know, so only known ones go out. Source: docs.mistral.ai, API reference, "Chat Completion".
import { createHash } from 'node:crypto'
import { isObject, type AttemptContext, type Body } from '#core'
import {
  editMessages,
  editParts,
  functionName,
  namedToolOnly,
  onlyKnown,
  without,
  withoutDeveloperRole,
} from '#adapter-kit'
import { effortOf, takesEffort } from './models.ts'

const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'temperature',
  'top_p',
  'max_tokens',
  'stop',
  'random_seed',
  'tools',
  'tool_choice',
  'response_format',
  'frequency_penalty',
  'presence_penalty',
  'n',
  'parallel_tool_calls',
  'prompt_mode',
  'safe_prompt',
  'reasoning_effort',
])

const KNOWN_IN_MESSAGE: ReadonlySet<string> = new Set([
  'role',
  'content',
  'tool_calls',
  'tool_call_id',
  'name',
  'prefix',
])

export function toMistral(body: Body, { drop, model }: AttemptContext): Body {
  const renamed = withEffort(withToolChoice(withOwnNames(body)), model)
  // Clients send stream_options by habit; Mistral streams the usage without it, so nothing is lost.
  const accepted = onlyKnown(without(renamed, 'stream_options'), KNOWN, drop)
  return withPrefix(withMessages(withPlainImages(withoutDeveloperRole(accepted))))
}

function withOwnNames(body: Body): Body {
  const { max_completion_tokens: limit, seed, ...rest } = body
  return {
    ...rest,
    ...(limit === undefined ? {} : { max_tokens: rest['max_tokens'] ?? limit }),
    ...(seed === undefined ? {} : { random_seed: rest['random_seed'] ?? seed }),
  }
}

function withEffort(body: Body, model: string): Body {
  const { reasoning_effort: effort, ...rest } = body
  if (effort === undefined || !takesEffort(model)) return rest
  return { ...rest, reasoning_effort: effortOf(effort, model) }
}

/** `any` is Mistral's word for "required". */
function withToolChoice(body: Body): Body {
  return body['tool_choice'] === 'required'
    ? { ...body, tool_choice: 'any' }
    : namedToolOnly(body, 'any')
}

/** Every model takes a plain URL; not every one takes the object with `detail`. */
function withPlainImages(body: Body): Body {
  return editParts(body, (part) => {
    const image = part['image_url']
    return isObject(image) ? { ...part, image_url: image['url'] } : part
  })
}

function withMessages(body: Body): Body {
  const names = new Map<unknown, string>()
  return editMessages(body, (message) => {
    const kept = onlyKnown(message, KNOWN_IN_MESSAGE, () => undefined)
    if (Array.isArray(kept['tool_calls'])) {
      const calls = kept['tool_calls'].filter(isObject)
      for (const call of calls) names.set(call['id'], functionName(call) ?? '')
      return {
        ...kept,
        content: kept['content'] ?? '',
        tool_calls: calls.map((call) => ({ ...call, id: fitId(call['id']) })),
      }
    }
    if (kept['role'] !== 'tool') return { ...kept, content: kept['content'] ?? '' }
    const name = kept['name'] ?? names.get(kept['tool_call_id'])
    return {
      ...kept,
      tool_call_id: fitId(kept['tool_call_id']),
      ...(name === undefined || name === '' ? {} : { name }),
    }
  })
}

/** Ids have exactly nine letters or digits. Another id becomes a digest of itself, so that call and result stay together and repeated turns
 *  give equal prompts. */
function fitId(id: unknown): unknown {
  if (typeof id !== 'string' || /^[a-zA-Z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}

/** A last message of the assistant is refused unless it is marked as the beginning of the answer. */
function withPrefix(body: Body): Body {
  const messages = body['messages']
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined
  if (!isObject(last) || last['role'] !== 'assistant' || Array.isArray(last['tool_calls'])) {
    return body
  }
  return { ...body, messages: [...(messages as unknown[]).slice(0, -1), { ...last, prefix: true }] }
}

/** Embeddings are requested as floats; core encodes them where the client wants base64. */
export function toMistralEmbeddings(body: Body): Body {
  const { dimensions, encoding_format: _format, user: _user, ...rest } = body
  return dimensions === undefined ? rest : { ...rest, output_dimension: dimensions }
}
