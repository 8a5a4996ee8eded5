import { create } from 'zustand'
import { api } from '../api/client.ts'
import { READ_LIMIT_MS } from '../api/time-limit.ts'
import { usePreferences } from './preferences.ts'
import { setOptionMinRole } from './session.ts'
import { readStored, readStoredJson, writeStored } from './storage.ts'

/** The fields of GET /api/status that the shell and the kit read; plugins add their own. */
export interface Status {
  version: string
  start_time: number
  setup: boolean
  system_name: string
  logo: string
  footer_html: string
  server_address: string
  docs_link: string
  quota_per_unit: number
  display_in_currency: boolean
  default_collapse_sidebar: boolean
  self_use_mode_enabled: boolean
  demo_site_enabled: boolean
  register_enabled: boolean
  password_register_enabled: boolean
  password_login_enabled: boolean
  chats: Record<string, string>[]
  option_min_role?: number
  [field: string]: unknown
}

interface StatusStore {
  /** The last status; until it is loaded, that of the last visit. */
  status: Status | undefined
  state: 'loading' | 'ready' | 'failed'
  load(): Promise<void>
}

/** Fields that other screens and older consoles read from local storage, as raw text under the field's name. */
const storedFields = [
  'system_name',
  'logo',
  'footer_html',
  'quota_per_unit',
  'display_in_currency',
  'enable_drawing',
  'enable_task',
  'enable_data_export',
  'data_export_default_time',
  'mj_notify_enabled',
  'docs_link',
  'chat_link',
] as const

export const useStatusStore = create<StatusStore>()((set) => ({
  status: readStoredJson<Status>('status'),
  state: 'loading',
  async load() {
    try {
      const status = await api.get<Status>('/api/status', { isQuiet: true, limitMs: READ_LIMIT_MS })
      remember(status)
      set({ status, state: 'ready' })
    } catch (error) {
      set({ state: 'failed' })
      throw error
    }
  },
}))

export function useStatus(): Status | undefined {
  return useStatusStore(({ status }) => status)
}

/** The address of the gateway for programs: ServerAddress, or else the address of this page. No slash at the end. */
export function serverAddressOf(status: Pick<Status, 'server_address'> | undefined): string {
  return (status?.server_address || window.location.origin).replace(/\/+$/, '')
}

function remember(status: Status): void {
  setOptionMinRole(status.option_min_role)
  writeStored('status', JSON.stringify(status))
  for (const field of storedFields) {
    const value = status[field] as string | number | boolean | undefined
    if (value !== undefined) writeStored(field, String(value))
  }
  writeStored('chats', JSON.stringify(status.chats ?? []))
  // The operator's default applies until the user has chosen one.
  if (readStored('default_collapse_sidebar') === undefined) {
    usePreferences.getState().setSidebarCollapsed(status.default_collapse_sidebar ?? false)
  }
}
