import { type Action, api, type BulkAction, copyText, type List, type Texts, toast } from '#console'
import { codeStatus, type Redemption } from '../schema.ts'
import { isEditable, isOpen } from './code.ts'

export interface CodeTools {
  t: Texts
  list: Pick<List<Redemption>, 'change' | 'refresh'>
  edit: (code: Redemption) => void
}

export function codeActions(code: Redemption, { t, list, edit }: CodeTools): Action[] {
  const isOff = code.status === codeStatus.disabled
  const status = isOff ? codeStatus.unused : codeStatus.disabled
  const change: Action = { label: t('action.edit'), run: () => edit(code) }
  const toggle: Action = {
    label: t(isOff ? 'action.enable' : 'action.disable'),
    run: () => list.change(code, { status }, () => setStatus(code, status)),
  }
  return [
    ...(isEditable(code) ? [change] : []),
    ...(isOpen(code) ? [toggle] : []),
    { label: t('action.copy'), run: () => copyText(code.key, t('copied')) },
    {
      label: t('action.delete'),
      isDanger: true,
      confirm: () => ({
        title: t('deleteTitle', { name: code.name }),
        content: t(isOpen(code) ? 'deleteText' : 'deleteUsedText'),
        confirmLabel: t('action.delete'),
        isDanger: true,
      }),
      run: async () => {
        await api.delete(`/api/redemption/${code.id}/`)
        toast.success(t('deleted', { name: code.name }))
        await list.refresh()
      },
    },
  ]
}

export function codeBulkActions(t: Texts): BulkAction<Redemption>[] {
  return [
    {
      label: t('action.copyMany'),
      run: async (codes) => {
        const lines = codes.map(({ name, key }) => `${name}\t${key}`)
        await copyText(lines.join('\n'), t('copiedMany', { count: codes.length }))
        return false
      },
    },
    { label: t('action.enable'), runEach: (code) => setStatus(code, codeStatus.unused, true) },
    { label: t('action.disable'), runEach: (code) => setStatus(code, codeStatus.disabled, true) },
    {
      label: t('action.delete'),
      isDanger: true,
      confirm: (codes) => ({
        title: t('deleteManyTitle', { count: codes.length }),
        content: t('deleteText'),
        confirmLabel: t('action.delete'),
        isDanger: true,
      }),
      runEach: ({ id }) => api.delete(`/api/redemption/${id}/`, { isQuiet: true }),
    },
  ]
}

function setStatus({ id }: Redemption, status: number, isQuiet = false) {
  return api.put('/api/redemption/?status_only=true', { id, status }, { isQuiet })
}
