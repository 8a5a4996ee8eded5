import { ChannelFault, type ChannelView } from '#core'

export type AppKind = 'chat' | 'agent' | 'completion' | 'workflow'

const KINDS: ReadonlySet<string> = new Set(['chat', 'agent', 'completion', 'workflow'])

/** Chatbots and chatflows are `chat`.
 *  @throws ChannelFault */
export function kindOf({ other }: Pick<ChannelView, 'other'>): AppKind {
  const kind = other === '' ? 'chat' : other
  if (KINDS.has(kind)) return kind as AppKind
  throw new ChannelFault('invalid_channel_setting', {
    en: 'The application kind must be chat, agent, completion or workflow.',
    zh: '应用类型应为 chat、agent、completion 或 workflow。',
  })
}
