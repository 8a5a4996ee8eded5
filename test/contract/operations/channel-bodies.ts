// Bodies of channels, as scripts and as older consoles send them.
import type { Stage } from '../stage.ts'

let base_url = ''

/** Where the channels lead. */
export function leadTo({ upstream }: Stage): void {
  base_url = upstream.url
}

export const input = (more: object = {}) => ({
  type: 1,
  name: 'contract',
  key: 'sk-contract',
  base_url,
  models: 'contract-model',
  group: 'default',
  ...more,
})

/** As the form of an older console sends it, with its leftovers. */
export const formInput = (more: object = {}) =>
  input({
    groups: ['default'],
    max_input_tokens: 0,
    created_time: null,
    children: null,
    openai_organization: null,
    other: '',
    model_mapping: '',
    status_code_mapping: '',
    auto_ban: 1,
    test_model: '',
    tag: '',
    setting: null,
    param_override: null,
    priority: '0',
    weight: '0',
    ...more,
  })

export const create = async ({ callers: { admin } }: Stage, more: object = {}): Promise<number> => {
  const [id = 0] = await admin.post<number[]>('/api/channel/', input(more))
  return id
}
