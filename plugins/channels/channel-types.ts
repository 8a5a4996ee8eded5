import type { Adapter, ChannelForm, ChannelTypeInfo, ProviderSection, TSchema } from '#core'

/** One entry of the console's type list, with what the channel form asks for. */
export interface ChannelType {
  type: number
  name: string
  /** The name for Chinese readers, if there is one. */
  zh: string | null
  /** The section of the picker, and further words that people search by. */
  section: ProviderSection | null
  aliases: readonly string[]
  adapter: string
  summary: string
  base_url: string
  models: readonly string[]
  form: ChannelForm
  settings: TSchema | null
  is_testable: boolean
  has_balance: boolean
}

/** The types of all adapters, sorted by number. */
export function channelTypes(adapters: readonly Adapter[]): ChannelType[] {
  return adapters.flatMap(typesOf).sort((a, b) => a.type - b.type)
}

/** The known models of each channel type; the keys are type numbers. */
export function modelsByType(adapters: readonly Adapter[]): Record<string, readonly string[]> {
  return Object.fromEntries(channelTypes(adapters).map(({ type, models }) => [type, models]))
}

/** The models of all adapters as `/v1/models` shows them, each once. */
export function modelCards(adapters: readonly Adapter[]) {
  const owners = new Map<string, string>()
  for (const adapter of adapters) {
    for (const model of typesOf(adapter).flatMap(({ models }) => models)) {
      if (!owners.has(model)) owners.set(model, adapter.ownedBy ?? adapter.id)
    }
  }
  return [...owners].map(([model, owner]) => modelCard(model, owner))
}

function typesOf(adapter: Adapter): ChannelType[] {
  const types = Object.entries(adapter.channelTypes)
  const { section = null, zh = null, aliases = [] } = adapter.picker ?? {}
  return types.map(([type, described]) => {
    const info: ChannelTypeInfo = typeof described === 'string' ? { name: described } : described
    return {
      type: Number(type),
      name: info.name,
      // One name cannot stand for two types.
      zh: types.length === 1 ? zh : null,
      section,
      aliases,
      adapter: adapter.id,
      summary: adapter.summary,
      base_url: info.baseUrl ?? adapter.baseUrl,
      models: info.models ?? adapter.models,
      form: adapter.form ?? {},
      settings: adapter.settings ?? null,
      is_testable: adapter.isTestable !== false,
      has_balance: adapter.fetchBalance !== undefined,
    }
  })
}

/** OpenAI's model object. Dates and rights are the same for all, because clients only read the id. */
function modelCard(id: string, owner: string) {
  const created = 1_626_777_600
  return {
    id,
    object: 'model',
    created,
    owned_by: owner,
    permission: [
      {
        id: 'modelperm-LwHkVFn8AcMItP432fKKDIKJ',
        object: 'model_permission',
        created,
        allow_create_engine: true,
        allow_sampling: true,
        allow_logprobs: true,
        allow_search_indices: false,
        allow_view: true,
        allow_fine_tuning: false,
        organization: '*',
        group: null,
        is_blocking: false,
      },
    ],
    root: id,
    parent: null,
  }
}
