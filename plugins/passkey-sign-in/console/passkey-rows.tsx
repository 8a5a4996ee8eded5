import { Button } from '@arco-design/web-react'
import { IconDelete, IconEdit, IconLock, IconSafe } from '@arco-design/web-react/icon'
import { useState } from 'react'
import {
  api,
  BindingRow,
  confirm,
  createPasskey,
  formatTime,
  hasPasskeys,
  IconButton,
  toast,
  useAction,
  useData,
  useStatus,
  useTexts,
} from '#console'
import { NameDialog } from './name-dialog.tsx'

interface Passkey {
  id: string
  name: string
  is_backed_up: boolean
  created_at: number
  last_used_at: number
}

const path = '/api/user/passkey'

/** The user's passkeys, with a row to add one. Where signing in with passkeys is off, existing ones remain second
 *  factors, so they are shown and can be removed. */
export default function PasskeyRows() {
  const t = useTexts('passkey-sign-in')
  const { data, refresh } = useData<{ passkeys: Passkey[] }>(path)
  const [naming, setNaming] = useState<(name: string) => void>()
  const [add, isAdding] = useAction(async () => {
    const ask = () => new Promise<string>((resolve) => setNaming(() => resolve))
    const added = await createPasskey<Passkey>(ask).finally(() => setNaming(undefined))
    if (!added) return
    toast.success(t('row.added', { name: added.name }))
    await refresh()
  })
  const list = data?.passkeys ?? []
  const isOn = useStatus()?.['passkey_login'] === true
  const isUsable = hasPasskeys()
  if (!isOn && list.length === 0) return null
  return (
    <>
      <BindingRow
        icon={IconSafe}
        name={t('row.name')}
        state={stateOf(t, isUsable || !isOn, data && list.length)}
      >
        {isOn && isUsable ? (
          <Button loading={isAdding} aria-label={t('row.addTitle')} onClick={() => void add()}>
            {t('row.add')}
          </Button>
        ) : null}
      </BindingRow>
      {list.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} onDone={() => void refresh()} />
      ))}
      {naming ? <NameDialog initial={deviceName()} onName={async (name) => naming(name)} /> : null}
    </>
  )
}

function stateOf(t: ReturnType<typeof useTexts>, isKnown: boolean, count: number | undefined) {
  if (!isKnown) return t('row.unavailable')
  if (count === undefined) return ''
  return count === 0 ? t('row.none') : t('row.count', { count })
}

function PasskeyRow({ passkey, onDone }: { passkey: Passkey; onDone(): void }) {
  const t = useTexts('passkey-sign-in')
  const { id, name, last_used_at: usedAt, is_backed_up: isBackedUp } = passkey
  const [isRenaming, setRenaming] = useState(false)
  const [remove, isRemoving] = useAction(async () => {
    const isSure = await confirm(() => ({
      title: t('row.deleteTitle', { name }),
      content: t('row.deleteText'),
      confirmLabel: t('row.deleteDo'),
      isDanger: true,
    }))
    if (!isSure) return
    await api.delete(`${path}/${id}`)
    toast.success(t('row.deleted', { name }))
    onDone()
  })
  const rename = async (given: string) => {
    await api.put(`${path}/${id}`, { name: given })
    setRenaming(false)
    toast.success(t('row.renamed', { name: given }))
    onDone()
  }
  const used = usedAt > 0 ? t('row.used', { time: formatTime(usedAt) }) : t('row.never')
  return (
    <>
      <BindingRow
        icon={IconLock}
        name={name}
        state={isBackedUp ? `${used} · ${t('row.synced')}` : used}
      >
        <IconButton
          icon={<IconEdit />}
          label={t('row.rename', { name })}
          onClick={() => setRenaming(true)}
        />
        <IconButton
          icon={<IconDelete />}
          label={t('row.delete', { name })}
          loading={isRemoving}
          onClick={() => void remove()}
        />
      </BindingRow>
      {isRenaming ? (
        <NameDialog initial={name} onName={rename} onClose={() => setRenaming(false)} />
      ) : null}
    </>
  )
}

/** A suggested name, from the browser and its system. */
function deviceName(): string {
  const { userAgent } = navigator
  const known = ['iPhone', 'iPad', 'Android', 'Windows', 'Macintosh', 'Linux']
  const found = known.find((one) => userAgent.includes(one))
  return found === 'Macintosh' ? 'Mac' : (found ?? 'Passkey')
}
