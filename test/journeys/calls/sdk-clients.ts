// The four client dialects through their official SDKs, each brought to one view of what was answered.
import Anthropic, { APIError as AnthropicError } from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI, { APIError as OpenAIError } from 'openai'
import type { JsonObject } from '#core'
import { recordedRequest } from '../../harness/upstreams/dialect-upstream.ts'

export interface Answered {
  text: string
  reasoning: string
  tools: { name: string; args: unknown }[]
  /** Cached tokens included. */
  inputTokens: number
  outputTokens: number
}

export interface SdkClient {
  dialect: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'
  /** Sends the recorded request of the scenario for another model; a scenario ending in `-stream` is streamed. */
  ask(scenario: string, model: string): Promise<Answered>
  /** The HTTP status of the error that the SDK raised. */
  statusOf(error: unknown): number | undefined
}

export function sdkClients(url: string, key: string): SdkClient[] {
  return [
    chatClient(url, key),
    responsesClient(url, key),
    messagesClient(url, key),
    geminiClient(url, key),
  ]
}

/** The recorded answers come at once, except on a busy machine. */
const timeoutMs = 60_000

const isStreamed = (scenario: string) => scenario.endsWith('-stream')

function requestFor(dialect: string, scenario: string, model: string): JsonObject {
  // Errors have no request of their own; any will do.
  const source = scenario.startsWith('error')
    ? isStreamed(scenario)
      ? 'text-stream'
      : 'text'
    : scenario
  return { ...recordedRequest(dialect, source), model }
}

function chatClient(url: string, apiKey: string): SdkClient {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, timeout: timeoutMs })
  return {
    dialect: 'openai-chat',
    statusOf: openaiStatus,
    ask: async (scenario, model) => {
      const body = requestFor('openai-chat', scenario, model) as never
      let reasoning = ''
      const stream = () =>
        client.chat.completions.stream(body).on('chunk', ({ choices }) => {
          reasoning += reasoningOf(choices[0]?.delta)
        })
      const completion = isStreamed(scenario)
        ? await stream().finalChatCompletion()
        : ((await client.chat.completions.create(body)) as OpenAI.ChatCompletion)
      const message = completion.choices[0]?.message
      const calls = (message?.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ name: call.function.name, args: parse(call.function.arguments) }]
          : [],
      )
      return {
        text: message?.content ?? '',
        reasoning: reasoning || reasoningOf(message),
        tools: calls,
        inputTokens: completion.usage?.prompt_tokens ?? -1,
        outputTokens: completion.usage?.completion_tokens ?? -1,
      }
    },
  }
}

function responsesClient(url: string, apiKey: string): SdkClient {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, timeout: timeoutMs })
  return {
    dialect: 'openai-responses',
    statusOf: openaiStatus,
    ask: async (scenario, model) => {
      const body = requestFor('openai-responses', scenario, model) as never
      const response = isStreamed(scenario)
        ? await client.responses.stream(body).finalResponse()
        : ((await client.responses.create(body)) as OpenAI.Responses.Response)
      const outputs = response.output
      return {
        text: outputs
          .flatMap((item) => (item.type === 'message' ? item.content : []))
          .map((part) => (part.type === 'output_text' ? part.text : ''))
          .join(''),
        reasoning: outputs
          .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
          .map((part) => part.text)
          .join(''),
        tools: outputs.flatMap((item) =>
          item.type === 'function_call' ? [{ name: item.name, args: parse(item.arguments) }] : [],
        ),
        inputTokens: response.usage?.input_tokens ?? -1,
        outputTokens: response.usage?.output_tokens ?? -1,
      }
    },
  }
}

function messagesClient(url: string, apiKey: string): SdkClient {
  const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0, timeout: timeoutMs })
  return {
    dialect: 'anthropic-messages',
    statusOf: (error) => (error instanceof AnthropicError ? error.status : undefined),
    ask: async (scenario, model) => {
      const body = requestFor('anthropic-messages', scenario, model) as never
      const message = isStreamed(scenario)
        ? await client.messages.stream(body).finalMessage()
        : ((await client.messages.create(body)) as Anthropic.Message)
      const { usage } = message
      return {
        text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        reasoning: message.content
          .map((block) => (block.type === 'thinking' ? block.thinking : ''))
          .join(''),
        tools: message.content.flatMap((block) =>
          block.type === 'tool_use' ? [{ name: block.name, args: block.input }] : [],
        ),
        inputTokens:
          usage.input_tokens +
          (usage.cache_read_input_tokens ?? 0) +
          (usage.cache_creation_input_tokens ?? 0),
        outputTokens: usage.output_tokens,
      }
    },
  }
}

interface GeminiChunk {
  candidates?: { content?: { parts?: GeminiPart[] } }[]
  usageMetadata?: {
    promptTokenCount?: number
    candidatesTokenCount?: number
    thoughtsTokenCount?: number
  }
}

interface GeminiPart {
  text?: string
  thought?: boolean
  functionCall?: { name?: string; args?: unknown }
}

function geminiClient(url: string, apiKey: string): SdkClient {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, timeout: timeoutMs } })
  return {
    dialect: 'gemini',
    statusOf: (error) =>
      error instanceof Error && 'status' in error ? Number(error.status) : undefined,
    ask: async (scenario, model) => {
      const call = geminiCall(requestFor('gemini', scenario, model)) as never
      const chunks: GeminiChunk[] = []
      if (isStreamed(scenario)) {
        for await (const chunk of await client.models.generateContentStream(call)) {
          chunks.push(chunk)
        }
      } else chunks.push(await client.models.generateContent(call))
      return answeredByGemini(chunks)
    },
  }
}

/** The wire's request in the words of the Google SDK, which keeps everything but the contents in `config`. */
function geminiCall({ model, contents, generationConfig, ...rest }: JsonObject): JsonObject {
  return { model, contents, config: { ...(generationConfig as object), ...rest } }
}

function answeredByGemini(chunks: readonly GeminiChunk[]): Answered {
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
  const usage = chunks.findLast((chunk) => chunk.usageMetadata)?.usageMetadata
  const textOf = (isThought: boolean) =>
    parts
      .filter((part) => (part.thought ?? false) === isThought)
      .map((part) => part.text ?? '')
      .join('')
  return {
    text: textOf(false),
    reasoning: textOf(true),
    tools: parts.flatMap(({ functionCall }) =>
      functionCall ? [{ name: functionCall.name ?? '', args: functionCall.args }] : [],
    ),
    inputTokens: usage?.promptTokenCount ?? -1,
    outputTokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
  }
}

function openaiStatus(error: unknown): number | undefined {
  return error instanceof OpenAIError ? Number(error.status) : undefined
}

/** `reasoning_content` is an extension that the SDK's types do not know. */
function reasoningOf(value: object | null | undefined): string {
  const text = value && 'reasoning_content' in value ? value.reasoning_content : ''
  return typeof text === 'string' ? text : ''
}

function parse(text: string): unknown {
  return JSON.parse(text || '{}')
}
