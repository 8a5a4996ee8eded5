import { Button, Form, Input } from '@arco-design/web-react'
import {
  api,
  Card,
  Field,
  focusFirstFault,
  formatQuota,
  toast,
  useFormAction,
  useQuotaStyle,
  useTexts,
} from '#console'

const formId = 'redeem'
const formPart = () => document.getElementById(formId)

/** Redeems codes, and links to where they are sold. If the plugin of codes is off, only the link is shown. */
export function RedeemCard({
  isOn,
  isMain,
  link,
  onRedeemed,
}: {
  isOn: boolean
  /** The primary button, if there is no other on the page. */
  isMain: boolean
  link: string
  onRedeemed: () => Promise<void>
}) {
  const t = useTexts('wallet')
  const style = useQuotaStyle()
  const [form] = Form.useForm<{ key: string }>()
  const [redeem, isRedeeming] = useFormAction(form, formPart, async ({ key }) => {
    const units = await api.post<number>('/api/user/topup', { key: key.trim() })
    form.resetFields()
    toast.success(t('redeem.done', { amount: formatQuota(units, style) }))
    await onRedeemed()
  })
  if (!isOn && link === '') return null
  return (
    <Card
      title={t(isOn ? 'redeem.title' : 'link.title')}
      hint={isOn ? t('redeem.hint') : undefined}
    >
      {isOn ? (
        <Form<{ key: string }>
          id={formId}
          form={form}
          layout="vertical"
          requiredSymbol={false}
          onSubmitFailed={() => focusFirstFault(formPart())}
          onSubmit={(values) => void redeem(values)}
        >
          <Field name="key" label={t('redeem.code')} isRequired>
            <Input autoComplete="off" spellCheck={false} maxLength={256} />
          </Field>
          <div>
            <Button type={isMain ? 'primary' : 'outline'} htmlType="submit" loading={isRedeeming}>
              {t('redeem.submit')}
            </Button>
          </div>
        </Form>
      ) : null}
      <p className="wallet-link">
        {link === '' ? (
          <span className="muted">{t('link.none')}</span>
        ) : (
          <a href={link} target="_blank" rel="noopener noreferrer">
            {t('link.open')}
          </a>
        )}
      </p>
    </Card>
  )
}
