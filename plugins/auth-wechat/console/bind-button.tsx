import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { api, type BindingButtonProps, toast, useTexts } from '#console'
import { CodeDialog } from './code-dialog.tsx'

export default function BindButton({ onDone }: BindingButtonProps) {
  const t = useTexts('auth-wechat')
  const [isOpen, setOpen] = useState(false)
  const bind = async (code: string) => {
    await api.get('/api/oauth/wechat/bind', { query: { code } })
    toast.success(t('bound'))
    setOpen(false)
    onDone()
  }
  return (
    <>
      <Button aria-label={t('bindTitle')} onClick={() => setOpen(true)}>
        {t('bind')}
      </Button>
      {isOpen ? (
        <CodeDialog
          title={t('bindTitle')}
          confirmLabel={t('bind')}
          onCode={bind}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
