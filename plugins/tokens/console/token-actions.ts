import {
  type Action,
  api,
  copyText,
  type BulkAction,
  type ChatLink,
  chatTargetOf,
  type List,
  type Texts,
  toast,
  tokenNameOf,
  tokenStatus,
} from '#console'
import type { Token } from '../schema.ts'
import { fullKey } from './token.ts'

export interface TokenTools {
  t: Texts
  list: Pick<List<Token>, 'change' | 'refresh'>
  chats: readonly ChatLink[]
  /** The address at which programs reach the gateway. */
  server: string
  edit: (token: Token) => void
}

/** The switch comes first, because it is used most, with editing beside it. */
export function tokenActions(token: Token, tools: TokenTools): Action[] {
  const { t, edit } = tools
  return [
    { label: t('action.edit'), run: () => edit(token) },
    switchAction(token, tools),
    { label: t('action.copyKey'), run: () => copyText(fullKey(token), t('copied')) },
    ...tools.chats.map(({ name, template }) => ({
      label: t('action.chat', { name }),
      run: () => openChat(template, token, tools),
    })),
    {
      label: t('action.delete'),
      isDanger: true,
      confirm: () => ({
        title: t('deleteTitle', { name: tokenNameOf(token) }),
        content: t('deleteText'),
        confirmLabel: t('action.delete'),
        isDanger: true,
      }),
      run: async () => {
        await api.delete(`/api/token/${token.id}/`)
        toast.success(t('deleted', { name: tokenNameOf(token) }))
        await tools.list.refresh()
      },
    },
  ]
}

function switchAction(token: Token, { t, list }: TokenTools): Action {
  const isOn = token.status === tokenStatus.enabled
  const status = isOn ? tokenStatus.disabled : tokenStatus.enabled
  return {
    label: t(isOn ? 'action.disable' : 'action.enable'),
    run: () => list.change(token, { status }, () => setStatus(token, status)),
  }
}

function setStatus({ id }: Token, status: number, isQuiet = false) {
  return api.put('/api/token/?status_only=true', { id, status }, { isQuiet })
}

function openChat(template: string, token: Token, { t, server }: TokenTools): void {
  const target = chatTargetOf(template, server, token.key)
  if (!target) return toast.error(t('chatBad'))
  window.open(target.address, '_blank', 'noopener')
}

export function tokenBulkActions(t: Texts): BulkAction<Token>[] {
  return [
    {
      label: t('action.copyKeys'),
      run: async (tokens) => {
        await copyText(tokens.map(fullKey).join('\n'), t('copiedMany', { count: tokens.length }))
        return false
      },
    },
    { label: t('action.enable'), runEach: (token) => setStatus(token, tokenStatus.enabled, true) },
    {
      label: t('action.disable'),
      runEach: (token) => setStatus(token, tokenStatus.disabled, true),
    },
    {
      label: t('action.delete'),
      isDanger: true,
      confirm: (tokens) => ({
        title: t('deleteManyTitle', { count: tokens.length }),
        content: t('deleteText'),
        confirmLabel: t('action.delete'),
        isDanger: true,
      }),
      runEach: ({ id }) => api.delete(`/api/token/${id}/`, { isQuiet: true }),
    },
  ]
}
