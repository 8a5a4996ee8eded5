// Source: cloud.google.com/vertex-ai/generative-ai/docs, pages "Use the Count Tokens API" and, for Claude, "Count tokens".
import { isObject, type AttemptContext, type Body, type PlainOperation } from '#core'
import { codecs } from '#adapter-kit'
import { countAddress } from './address.ts'
import { toVertex } from './body.ts'
import { claudeName, familyOf } from './models.ts'

/** Asked in Anthropic's dialect, whatever the model. */
export const countTokens: PlainOperation = {
  isServed: ({ model }) => familyOf(model) !== 'open',
  endpoint: (context) => ({ url: countAddress(context), headers: {} }),
  body: (body, context) =>
    familyOf(context.model) === 'anthropic' ? claudeBody(body, context) : geminiBody(body, context),
  answer(body) {
    const { totalTokens, input_tokens: tokens } = isObject(body) ? body : {}
    return { input_tokens: tokens ?? totalTokens }
  },
}

/** Asked in Gemini's own. */
export const countGeminiTokens: PlainOperation = {
  isServed: ({ model }) => familyOf(model) === 'google',
  endpoint: (context) => ({ url: countAddress(context), headers: {} }),
  body: async (body, context) => counted(await toVertex(body, 'gemini', context)),
}

/** The model stands in the body here, for the address names the operation. */
async function claudeBody(body: Body, context: AttemptContext): Promise<Body> {
  const whole = await toVertex(body, 'anthropic-messages', context)
  return { ...whole, model: claudeName(context.model) }
}

async function geminiBody(body: Body, context: AttemptContext): Promise<Body> {
  const { model, options } = context
  const request = codecs['anthropic-messages'].parseRequest(body, { model })
  const built = codecs.gemini.buildRequest(request, {
    upstreamModel: model,
    dropped: [],
    option: (key) => options.get(key),
  })
  return counted(await toVertex(built, 'gemini', context))
}

/** The fields that the API counts. */
function counted(body: Body): Body {
  const { contents, systemInstruction = body['system_instruction'], tools } = body
  return {
    contents,
    ...(systemInstruction === undefined ? {} : { systemInstruction }),
    ...(tools === undefined ? {} : { tools }),
  }
}
