import {
  api,
  channelStatus,
  confirm,
  formatDuration,
  formatTime,
  messageOf,
  type Texts,
  toast,
} from '#console'
import type { ChannelRun } from '../schema.ts'
import { type Channel, reasonOf } from './channel.ts'

const quiet = { isQuiet: true }

/** The calls of the channel screen, by what they do. */
export const channelCalls = {
  change: (id: number, changes: Partial<Channel>, isQuiet = false) =>
    api.put<Channel>('/api/channel/', { id, ...changes }, { isQuiet }),
  remove: (id: number) => api.delete(`/api/channel/${id}/`),
  removeMany: (ids: number[]) => api.post<number>('/api/channel/batch', { ids }),
  removeDisabled: () => api.delete<number>('/api/channel/disabled'),
  storedKey: async (id: number) => (await api.post<{ key: string }>(`/api/channel/${id}/key`)).key,
  copy: (id: number) => api.post<number>(`/api/channel/copy/${id}`),
  balance: async (id: number, isQuiet = false) => {
    const path = `/api/channel/update_balance/${id}/`
    const answer = await api.envelope<undefined, { balance: number }>('GET', path, undefined, {
      isQuiet,
    })
    return answer.balance
  },
  allBalances: () => api.get('/api/channel/update_balance'),
  testAll: () => api.get('/api/channel/test'),
  stopRun: (kind: ChannelRun['kind']) => api.post('/api/channel/runs/stop', { kind }),
  fix: () => api.post<number>('/api/channel/fix'),
  unpriced: (models: readonly string[], signal: AbortSignal) =>
    api.post<string[]>('/api/channel/models_unpriced', { models }, { ...quiet, signal }),
  setStatus: (ids: number[], status: number) =>
    api.post<number>('/api/channel/batch/status', { ids, status }),
  setTag: (ids: number[], tag: string) => api.post<number>('/api/channel/batch/tag', { ids, tag }),
  switchTag: (tag: string, isOn: boolean) =>
    api.post(`/api/channel/tag/${isOn ? 'enabled' : 'disabled'}`, { tag }),
  editTag: (body: TagEdit) => api.put('/api/channel/tag', body),
  enableKeys: ({ id, other_info: shown }: Channel, positions: number[]) =>
    api.post<Channel>(`/api/channel/${id}/keys/enable`, { positions, shown }),
  removeKeys: ({ id, other_info: shown }: Channel, positions: number[]) =>
    api.post<Channel>(`/api/channel/${id}/keys/remove`, { positions, shown }),
  fetchModels: (id: number) => api.get<string[]>(`/api/channel/fetch_models/${id}`),
  fetchModelsOf: (channel: { base_url: string; type: number; key: string; setting: string }) =>
    api.post<string[]>('/api/channel/fetch_models', channel),
} as const

export interface TagEdit {
  tag: string
  new_tag?: string
  model_mapping?: string
  models?: string
  groups?: string
  priority?: number
  weight?: number
}

/** Seconds that a test took. @throws ApiError when the channel failed */
export async function testChannel(
  id: number,
  model?: string,
  signal?: AbortSignal,
): Promise<number> {
  const answer = await api.envelope<undefined, { time: number }>(
    'GET',
    `/api/channel/test/${id}`,
    undefined,
    { ...quiet, query: { model }, ...(signal ? { signal } : {}) },
  )
  return answer.time
}

/** Tests a channel with its own test model, and says how it went.
 *  @returns the seconds it took; undefined if it failed */
export async function testWithToast(
  id: number,
  name: string,
  t: Texts,
): Promise<number | undefined> {
  const topic = `test:${id}`
  toast.running(t('test.running', { name }), topic)
  try {
    const seconds = await testChannel(id)
    toast.success(t('test.passed', { name, time: formatDuration(seconds * 1000) }), topic)
    return seconds
  } catch (error) {
    toast.error(t('test.failed', { name, message: messageOf(error) }), topic)
    return undefined
  }
}

/** Whether a test that this channel passes is a reason to offer that it be enabled. */
export function waitsForTest({ status }: Pick<Channel, 'status'>): boolean {
  return status === channelStatus.disabledAutomatically
}

/** Asks whether a channel that the gateway had disabled is to be enabled, now that it has passed a test. */
export async function offerToEnable(channel: Channel, seconds: number, t: Texts): Promise<void> {
  const { id, name } = channel
  const why = reasonOf(channel)
  const isWanted = await confirm(() => ({
    title: t('revival.title', { name }),
    content: [
      t('revival.passed', { time: formatDuration(seconds * 1000) }),
      why && t('revival.why', { reason: why.reason, time: formatTime(why.seconds) }),
    ]
      .filter(Boolean)
      .join(' '),
    confirmLabel: t('action.enable'),
    cancelLabel: t('revival.leave'),
  }))
  if (isWanted) await enable({ id, name }, t)
}

export async function enable({ id, name }: Pick<Channel, 'id' | 'name'>, t: Texts): Promise<void> {
  await channelCalls.change(id, { status: channelStatus.enabled })
  toast.success(t('revival.done', { name }))
}
