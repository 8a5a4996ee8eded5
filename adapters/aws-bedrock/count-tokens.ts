// Source: docs.aws.amazon.com/bedrock, "Monitor your token usage by counting tokens before running inference". It takes the ids of models, not those of
// profiles; which models it counts for is AWS's to say, and where it refuses core counts.
import { isObject, type AttemptContext, type Body, type PlainOperation } from '#core'
import { codecs } from '#adapter-kit'
import { toConverse } from './converse-request.ts'
import { modelEndpoint } from './endpoint.ts'
import { bareId, vendorOfCall } from './models.ts'
import { toBedrock } from './to-bedrock.ts'

export const countTokens: PlainOperation = {
  endpoint: (context) => modelEndpoint(bareId(context.model), 'count-tokens', context),
  async body(body, context) {
    return {
      input: isClaude(context)
        ? await invokeInput(body, context)
        : await converseInput(body, context),
    }
  },
  answer: (body) => ({ input_tokens: isObject(body) ? body['inputTokens'] : undefined }),
}

function isClaude(context: AttemptContext): boolean {
  return (vendorOfCall(context) ?? 'anthropic') === 'anthropic'
}

/** The body of InvokeModel, which must name an output limit. */
async function invokeInput(body: Body, context: AttemptContext): Promise<Body> {
  const thinking = isObject(body['thinking']) ? body['thinking']['budget_tokens'] : undefined
  const limit = typeof thinking === 'number' ? thinking + 1 : 1
  const whole = await toBedrock({ max_tokens: limit, ...body }, context)
  return { invokeModel: { body: Buffer.from(JSON.stringify(whole)).toString('base64') } }
}

async function converseInput(body: Body, context: AttemptContext): Promise<Body> {
  const request = codecs['anthropic-messages'].parseRequest(body, { model: context.model })
  const { messages, system, toolConfig } = await toConverse(request, context)
  return {
    converse: {
      messages,
      ...(system === undefined ? {} : { system }),
      ...(toolConfig === undefined ? {} : { toolConfig }),
    },
  }
}
