import type {
  AttemptContext,
  ChatRequest,
  JsonObject,
  ToolDeclaration,
  UpstreamRequest,
} from 'tollgate/contract'
import {
  compact,
  type FlatMessage,
  flatMessages,
  reportDropped,
  urlOfSource,
} from 'tollgate/adapter-kit'

const speakers = { system: 'stage', user: 'person', assistant: 'parrot', tool: 'tool' } as const

export function send(request: ChatRequest, context: AttemptContext): UpstreamRequest {
  const { channel, isStream, model } = context
  reportDropped(request, ['tools', 'maxTokens', 'temperature', 'stop', 'user'], context)
  const body = compact({
    voice: model,
    script: flatMessages(request, context, { takesImages: true }).map(lineOf),
    tricks: request.tools.length === 0 ? undefined : request.tools.map(trickOf),
    most: request.maxTokens,
    heat: request.temperature,
    hush: request.stop,
    listener: request.user,
    polite: channel.setting['manners'] === true ? true : undefined,
    live: isStream,
  })
  return {
    method: 'POST',
    url: `${channel.baseUrl}/v2/talk`,
    headers: { 'content-type': 'application/json', 'x-seed': channel.key },
    body: JSON.stringify(body),
  }
}

function lineOf({ role, text, images, calls, callId }: FlatMessage): JsonObject {
  return compact({
    who: speakers[role],
    say: text,
    // An address, or the bytes as a data URL.
    pictures: images.length === 0 ? undefined : images.map((one) => urlOfSource(one, 'messages')),
    wants:
      calls.length === 0
        ? undefined
        : calls.map((call) => ({ ref: call.id, trick: call.name, with: call.arguments })),
    answers: role === 'tool' ? callId : undefined,
  })
}

function trickOf({ name, description, parameters }: ToolDeclaration): JsonObject {
  return compact({ trick: name, about: description, needs: parameters })
}
