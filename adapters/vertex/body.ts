// The differences of Vertex from the providers' own APIs. Source: cloud.google.com/vertex-ai/generative-ai/docs,
// pages "Generate content with the Gemini API" and "Use Claude models".
import { isObject, type AttemptContext, type Body, type ChatDialect, type JsonObject } from '#core'
import {
  editList,
  inlineAnthropicFiles,
  inlineGeminiFiles,
  refuseThread,
  without,
  withoutRefused,
} from '#adapter-kit'
import { refuseProjectData } from './project-data.ts'

const CLAUDE_VERSION = 'vertex-2023-10-16'
/** Anthropic's own API alone knows these: Vertex has its region in the address, and no tiers of Claude's. */
const FOREIGN = ['service_tier', 'inference_geo'] as const

export async function toVertex(
  body: Body,
  dialect: ChatDialect,
  context: AttemptContext,
): Promise<Body> {
  switch (dialect) {
    case 'anthropic-messages':
      return {
        ...(await inlineAnthropicFiles(
          withoutRefused(without(refuseThread(body), 'model'), FOREIGN, context.drop),
          context,
        )),
        anthropic_version: CLAUDE_VERSION,
      }
    case 'gemini':
      refuseProjectData(body, context)
      return inlineGeminiFiles(editList(body, 'contents', toContent), context)
    default:
      refuseProjectData(body, context)
      return body
  }
}

/** Vertex requires a role on every turn and refuses ids of tool calls. */
function toContent(content: JsonObject): JsonObject {
  const roled = content['role'] === undefined ? { ...content, role: 'user' } : content
  return editList(roled, 'parts', (part) =>
    withoutId(withoutId(part, 'functionCall'), 'functionResponse'),
  )
}

function withoutId(part: JsonObject, key: string): JsonObject {
  const value = part[key]
  if (!isObject(value) || value['id'] === undefined) return part
  return { ...part, [key]: without(value, 'id') }
}
