// Converse, the runtime's form of chat for all vendors. Source: docs.aws.amazon.com/bedrock, "Carry out a conversation with the Converse API".
import type { OwnChat } from '#core'
import { readAnswer } from './converse-answer.ts'
import { toConverse } from './converse-request.ts'
import { ConverseStreamReader } from './converse-stream.ts'
import { modelEndpoint, regionOf } from './endpoint.ts'
import { bedrockId } from './models.ts'

export const converse: OwnChat = {
  async send(request, context, memory) {
    const id = bedrockId(context.model, regionOf(context))
    const { url, headers } = modelEndpoint(
      id,
      context.isStream ? 'converse-stream' : 'converse',
      context,
    )
    return {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(await toConverse(request, context, memory)),
    }
  },
  readAnswer: (body, _context, request) => readAnswer(body, request),
  streamReader: (_context, request) => new ConverseStreamReader(request),
  framing: 'aws-event-stream',
}
