import { Input } from '@arco-design/web-react'
import { useId, useState } from 'react'
import { Dialog, useAction, useTexts } from '#console'

/** Asks for the name of a passkey. Without `onClose` it cannot be cancelled: the passkey exists already and needs a
 *  name, for which the suggested one will do. */
export function NameDialog({
  initial,
  onName,
  onClose,
}: {
  initial: string
  onName(name: string): Promise<void>
  onClose?: () => void
}) {
  const t = useTexts('passkey-sign-in')
  const shell = useTexts()
  const id = useId()
  const [name, setName] = useState(initial)
  const [save, isSaving] = useAction(async () => {
    if (name.trim() !== '') await onName(name.trim())
  })
  return (
    <Dialog
      title={t('nameTitle')}
      okText={shell('save')}
      cancelText={shell('cancel')}
      hideCancel={!onClose}
      okButtonProps={{ disabled: name.trim() === '' }}
      confirmLoading={isSaving}
      maskClosable={false}
      onOk={() => void save()}
      onClose={onClose ?? (() => void onName(initial))}
    >
      <label className="dialog-type" htmlFor={id}>
        {t('row.label')}
        <Input
          id={id}
          value={name}
          onChange={setName}
          maxLength={64}
          autoComplete="off"
          onPressEnter={() => void save()}
        />
      </label>
      <p className="muted">{t('nameHint')}</p>
    </Dialog>
  )
}
