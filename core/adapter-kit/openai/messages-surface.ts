// Anthropic's Messages API as other providers offer it beside their own: calls of Anthropic clients are passed through
// instead of being converted.
import { type Static, Type } from '@sinclair/typebox'
import type { OptionUi } from '../../contract/options.ts'
import type { AttemptContext, Body, ChannelView, Endpoint } from '../../contract/adapter.ts'
import { claudeHeaders } from '../../dialects/anthropic-messages/request-headers.ts'

const VERSION = '2023-06-01'

export interface MessagesSurface {
  /** The provider's own addresses where its documents place the surface, e.g. `https://api.example.com`. */
  origins: readonly string[]
  /** The path before `/v1/messages`; '' if there is none. */
  path: string
  /** Whether it serves a model; calls of other models are converted. Default: all. */
  serves?: (model: string) => boolean
  /** Last edits on the body. */
  request?: (body: Body, context: AttemptContext) => Body
}

/** The channel settings of every adapter that names such a surface. */
export const messagesSettings = Type.Object({
  messages: Type.Optional(
    Type.Boolean({
      'x-ui': {
        widget: 'auto-switch',
        label: { en: 'Serves /v1/messages', zh: '支持 /v1/messages' },
        help: {
          en: "For Anthropic clients. Automatic: on at the provider's own addresses, off at others. Off converts such calls to chat.",
          zh: '供 Anthropic 客户端使用。自动：服务商自有地址开启，其他地址关闭；关闭时此类调用会转换为对话接口。',
        },
      } satisfies OptionUi,
    }),
  ),
})

/** On at the provider's own addresses unless the channel's setting says no. Elsewhere only if it says yes, because an
 *  address does not tell whether it serves this API. */
export function servesMessages(
  surface: MessagesSurface,
  model: string,
  { baseUrl, setting }: ChannelView,
): boolean {
  const { messages } = setting as Static<typeof messagesSettings>
  const isThere = messages ?? originOf(surface, baseUrl) !== undefined
  return isThere && (surface.serves?.(model) ?? true)
}

export function messagesEndpoint(
  surface: MessagesSurface,
  context: AttemptContext,
  credentials: Record<string, string>,
): Endpoint {
  return {
    url: `${surfaceOf(surface, context.channel.baseUrl)}/v1/messages`,
    headers: { 'anthropic-version': VERSION, ...claudeHeaders(context), ...credentials },
  }
}

/** At the provider's own origin, whatever path the channel's address has; at a mirror, below its address as it is below the provider's. */
function surfaceOf(surface: MessagesSurface, baseUrl: string): string {
  const origin = originOf(surface, baseUrl)
  if (origin !== undefined) return origin + surface.path
  const mirror = baseUrl.replace(/\/v\d+$/, '')
  return mirror.endsWith(surface.path) ? mirror : mirror + surface.path
}

function originOf({ origins }: MessagesSurface, baseUrl: string): string | undefined {
  return origins.find((origin) => baseUrl === origin || baseUrl.startsWith(`${origin}/`))
}
