import { Button, Input } from '@arco-design/web-react'
import { createElement, useState } from 'react'
import { api, SidePanel, toast, useAction, useData, useTexts } from 'tollgate/console'

const path = '/api/acme'

/** Drawn for each row, but the call is made once: `useData` shares its answer. */
export function RemarkCell({ row }) {
  const { data } = useData(path)
  return data?.[row.id] ?? ''
}

/** Stands in the drawer outside of its form, so it saves by a button of its own. */
export function RemarkSection({ record, onChanged }) {
  const t = useTexts('acme')
  const { data, refresh } = useData(path)
  const [typed, setTyped] = useState()
  const [save, isSaving] = useAction(async () => {
    await api.put(path, { user_id: record.id, text: typed })
    await refresh()
    setTyped(undefined)
    onChanged(false)
    toast.success(t('saved'))
  })
  return createElement(
    'div',
    { style: { display: 'flex', gap: 8 } },
    createElement(Input, {
      'aria-label': t('remark'),
      maxLength: 200,
      value: typed ?? data?.[record.id] ?? '',
      onChange: (value) => {
        setTyped(value)
        // The drawer asks before it closes on what is not saved.
        onChanged(true)
      },
    }),
    createElement(
      Button,
      { disabled: typed === undefined, loading: isSaving, onClick: () => void save() },
      t('save'),
    ),
  )
}

/** Of a row action: drawn until it calls `onClose`. */
export function RemarkPanel({ row, onClose }) {
  const t = useTexts('acme')
  const { data } = useData(path)
  return createElement(
    SidePanel,
    { title: t('remarkOf', { name: row.username }), isOpen: true, onClose },
    createElement('p', { style: { overflowWrap: 'anywhere' } }, data?.[row.id] || t('none')),
  )
}
