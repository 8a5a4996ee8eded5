// Channels over a test database, with the adapters and options that a test needs.
import type { Adapter } from '../../core/contract/adapter.ts'
import type { HttpClient } from '../../core/contract/http-client.ts'
import { defineAdapter } from '../../core/contract/adapter.ts'
import type { Receipt } from '../../core/contract/services.ts'
import { createBus, fixedOptions, type CoreServices } from './core-services.ts'
import { quietLog } from './databases.ts'
import { createChannels, type Channels } from '../../core/channels/channels.ts'
import type { ChannelProbe } from '../../core/channels/upstream/channel-probe.ts'

export const plain: Adapter = defineAdapter({
  id: 'plain',
  summary: 'an adapter without any needs',
  channelTypes: { 1: 'Plain' },
  baseUrl: 'https://plain.example',
  models: ['m'],
  operations: { chat: { dialects: ['openai-chat'], endpoint: () => ({ url: '', headers: {} }) } },
})

export const demanding: Adapter = defineAdapter({
  id: 'demanding',
  summary: 'an adapter whose channels need every field',
  channelTypes: { 41: 'Demanding' },
  baseUrl: '',
  models: ['d'],
  operations: {},
  isTestable: false,
  form: {
    isMultilineKey: true,
    baseUrl: { required: true },
    other: { label: { en: 'Region', zh: '区域' }, required: true, isModelMap: true },
  },
})

export interface Setup {
  options?: Record<string, unknown>
  /** A function where the options change during the test. */
  adapters?: readonly Adapter[] | (() => readonly Adapter[])
  http?: Partial<HttpClient>
  probe?: ChannelProbe
  bus?: ReturnType<typeof createBus>
  nodeId?: string
  now?: () => Date
}

export async function startChannels(services: CoreServices, setup: Setup = {}): Promise<Channels> {
  const { adapters = [plain, demanding] } = setup
  const channels = createChannels({
    database: services.database,
    secrets: services.secrets,
    events: services.events,
    logs: services.logs,
    options: fixedOptions({
      AutomaticDisableChannelEnabled: true,
      AutomaticEnableChannelEnabled: true,
      AutomaticDisableKeywords: '',
      ChannelDisableThreshold: 5,
      LogConsumeEnabled: true,
      ...setup.options,
    }),
    http: (setup.http ?? {}) as HttpClient,
    pricing: {
      snapshot: () => ({}) as never,
      receipt: (): Receipt => ({ lines: [], total: 12, rule: 'test' }),
    },
    cluster: (setup.bus ?? createBus()).join(setup.nodeId ?? 'node-1'),
    adapters: typeof adapters === 'function' ? adapters : () => adapters,
    log: quietLog,
    ...(setup.now === undefined ? {} : { now: setup.now }),
  })
  if (setup.probe !== undefined) channels.useProbe(setup.probe)
  await channels.reload()
  return channels
}

export const channelInput = {
  type: 1,
  name: 'one',
  key: 'sk-first-key',
  models: 'm',
  group: 'default',
}
