import { Form, Input } from '@arco-design/web-react'
import { Field, Dialog, useAction, useStatus, useTexts } from '#console'
import './wechat.css'

/** The QR code of the public account, and a field for the code that it answers with. */
export function CodeDialog({
  title,
  confirmLabel,
  onCode,
  onClose,
}: {
  title: string
  confirmLabel: string
  onCode: (code: string) => Promise<void>
  onClose: () => void
}) {
  const t = useTexts('auth-wechat')
  const status = useStatus()
  const [form] = Form.useForm<{ code: string }>()
  const [send, isSending] = useAction(onCode)
  const picture = status?.['wechat_qrcode']
  return (
    <Dialog
      title={title}
      okText={confirmLabel}
      cancelText={t('cancel')}
      confirmLoading={isSending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      {typeof picture === 'string' && picture !== '' ? (
        <img className="wechat-qrcode" src={picture} alt={t('picture')} />
      ) : null}
      <p className="wechat-hint">{t('hint')}</p>
      <Form<{ code: string }>
        form={form}
        layout="vertical"
        requiredSymbol={false}
        onSubmit={({ code }) => void send(code.trim())}
      >
        <Field name="code" label={t('code')} isRequired>
          <Input autoComplete="one-time-code" inputMode="numeric" maxLength={32} size="large" />
        </Field>
      </Form>
    </Dialog>
  )
}
