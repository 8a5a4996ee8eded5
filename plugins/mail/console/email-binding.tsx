import { Button, Form, Input } from '@arco-design/web-react'
import { IconEmail } from '@arco-design/web-react/icon'
import { useState } from 'react'
import {
  api,
  BindingRow,
  Dialog,
  Field,
  MailedCode,
  toast,
  useAction,
  useBotCheck,
  useOwnAccount,
  useStatus,
  useTexts,
} from '#console'

interface Binding {
  email: string
  code: string
}

/** The own address: proven by a code that is mailed to it. */
export default function EmailBinding() {
  const t = useTexts('mail')
  const status = useStatus()
  const own = useOwnAccount()
  const [isOpen, setOpen] = useState(false)
  const email = own.data?.email ?? ''
  const isReady = status?.['password_reset_enabled'] !== false
  return (
    <BindingRow icon={IconEmail} name={t('bind.name')} state={email || t('bind.none')}>
      {isReady ? (
        <Button onClick={() => setOpen(true)}>{t(email ? 'bind.change' : 'bind.add')}</Button>
      ) : (
        <span className="muted">{t('bind.noMail')}</span>
      )}
      {isOpen ? (
        <BindDialog
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            void own.refresh()
          }}
        />
      ) : null}
    </BindingRow>
  )
}

function BindDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const t = useTexts('mail')
  const [form] = Form.useForm<Binding>()
  const [bind, isBinding] = useAction(async ({ email, code }: Binding) => {
    const query = { email: email.trim(), code: code.trim() }
    await api.get('/api/oauth/email/bind', { query })
    toast.success(t('bind.done'))
    onDone()
  })
  return (
    <Dialog
      title={t('bind.title')}
      okText={t('bind.submit')}
      confirmLoading={isBinding}
      onClose={onClose}
      onOk={() => form.submit()}
    >
      <Form<Binding>
        form={form}
        layout="vertical"
        requiredSymbol={false}
        onSubmit={(values) => void bind(values)}
      >
        <AddressFields />
      </Form>
    </Dialog>
  )
}

function AddressFields() {
  const t = useTexts('mail')
  const { element, run } = useBotCheck()
  return (
    <>
      <Field name="email" label={t('reset.email')} isRequired>
        <Input type="email" autoComplete="email" maxLength={50} />
      </Field>
      {element}
      <MailedCode name="code" run={run} />
    </>
  )
}
