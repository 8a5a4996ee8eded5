import type {
  AttemptContext,
  ChatRequest,
  JsonObject,
  ToolChoice,
  ToolDeclaration,
  UpstreamRequest,
} from '#core'
import { compact, reportDropped, flatMessages, urlOfSource, type FlatMessage } from '#adapter-kit'
import { actionHeaders } from './transport.ts'

export function send(request: ChatRequest, context: AttemptContext): UpstreamRequest {
  const { channel, isStream, model } = context
  reportDropped(request, ['temperature', 'topP', 'stop', 'seed', 'tools', 'toolChoice'], context)
  const body = compact({
    ...ownFields(context),
    Model: model,
    Stream: isStream,
    Messages: flatMessages(request, context, { alternates: true, takesImages: true }).map(
      toMessage,
    ),
    Temperature: request.temperature,
    TopP: request.topP,
    Stop: request.stop,
    Seed: seedOf(request, context),
    ...toolFields(request, context),
  })
  return {
    method: 'POST',
    url: `${channel.baseUrl}/`,
    headers: actionHeaders('ChatCompletions'),
    body: JSON.stringify(body),
  }
}

/** Hunyuan's own fields, such as EnableEnhancement, pass as the client wrote them; their names begin with a capital. */
function ownFields({ clientBody, clientDialect }: AttemptContext): JsonObject {
  if (clientDialect !== 'openai-chat' || clientBody === undefined) return {}
  return Object.fromEntries(Object.entries(clientBody).filter(([name]) => /^[A-Z]/.test(name)))
}

function toMessage(message: FlatMessage): JsonObject {
  const { role, text, calls, callId } = message
  return compact({
    Role: role,
    ...contentOf(message),
    ToolCallId: role === 'tool' ? callId : undefined,
    ToolCalls:
      calls.length === 0
        ? undefined
        : calls.map((call) => ({
            Id: call.id,
            Type: 'function',
            Function: { Name: call.name, Arguments: call.arguments },
          })),
    ...(role === 'assistant' && calls.length > 0 && text === '' ? { Content: '' } : {}),
  })
}

/** Source: TencentCloud/tencentcloud-sdk-python, hunyuan v20230901, `Content`. */
function contentOf({ text, images }: FlatMessage): JsonObject {
  if (images.length === 0) return { Content: text }
  const pictures = images.map((source) => ({
    Type: 'image_url',
    ImageUrl: { Url: urlOfSource(source, 'messages') },
  }))
  return { Contents: [...(text === '' ? [] : [{ Type: 'text', Text: text }]), ...pictures] }
}

const LARGEST_SEED = 10_000

function seedOf({ seed }: ChatRequest, { drop }: AttemptContext): number | undefined {
  if (seed === undefined || (seed >= 1 && seed <= LARGEST_SEED)) return seed
  drop('seed')
  return undefined
}

function toolFields({ tools, toolChoice }: ChatRequest, context: AttemptContext): JsonObject {
  if (tools.length === 0) return {}
  return { Tools: tools.map(toTool), ...choiceFields(toolChoice, tools, context) }
}

function toTool({ name, description, parameters }: ToolDeclaration): JsonObject {
  return {
    Type: 'function',
    Function: compact({
      Name: name,
      Description: description,
      Parameters: JSON.stringify(parameters ?? { type: 'object', properties: {} }),
    }),
  }
}

/** A tool can be forced by name, but "any of several" cannot be expressed. */
function choiceFields(
  choice: ToolChoice | undefined,
  tools: readonly ToolDeclaration[],
  { drop }: AttemptContext,
): JsonObject {
  if (choice === undefined) return {}
  if (choice.mode === 'auto' || choice.mode === 'none') return { ToolChoice: choice.mode }
  const names = namesOf(choice, tools)
  const only = tools.find(({ name }) => name === names[0])
  if (names.length === 1 && only) return { ToolChoice: 'custom', CustomTool: toTool(only) }
  drop('tool_choice')
  return { ToolChoice: 'auto' }
}

function namesOf(choice: ToolChoice, tools: readonly ToolDeclaration[]): string[] {
  if (choice.mode === 'one') return [choice.name]
  return choice.mode === 'some' ? choice.names : tools.map(({ name }) => name)
}
