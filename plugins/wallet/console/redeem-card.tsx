import { Button, Form, Input } from '@arco-design/web-react'
import {
  api,
  Card,
  Field,
  focusFirstFault,
  formatWholeQuota,
  toast,
  useFormAction,
  useQuotaStyle,
  useTexts,
  useUnsaved,
} from '#console'

const formId = 'redeem'
const formPart = () => document.getElementById(formId)

/** Redeems codes, and links to where they are sold. If the plugin of codes is off, only the link is shown. */
export function RedeemCard({
  isOn,
  isOnlyWay,
  link,
  onRedeemed,
}: {
  isOn: boolean
  /** Nothing can be paid on this page: the button is the primary one, and a missing link is named. */
  isOnlyWay: boolean
  link: string
  onRedeemed: () => Promise<void>
}) {
  const t = useTexts('wallet')
  const style = useQuotaStyle()
  const [form] = Form.useForm<{ key: string }>()
  useUnsaved(Boolean(Form.useWatch('key', form)))
  const [redeem, isRedeeming] = useFormAction(form, formPart, async ({ key }) => {
    const units = await api.post<number>('/api/user/topup', { key: key.trim() })
    form.resetFields()
    toast.success(t('redeem.done', { amount: formatWholeQuota(units, style) }))
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
            <Button
              type={isOnlyWay ? 'primary' : 'outline'}
              htmlType="submit"
              loading={isRedeeming}
            >
              {t('redeem.submit')}
            </Button>
          </div>
        </Form>
      ) : null}
      <ShopLink link={link} isOnlyWay={isOnlyWay} />
    </Card>
  )
}

/** Where codes are sold. That nobody sells any is only worth a word where there is no other way to pay. */
function ShopLink({ link, isOnlyWay }: { link: string; isOnlyWay: boolean }) {
  const t = useTexts('wallet')
  if (link === '') return isOnlyWay ? <p className="wallet-link muted">{t('link.none')}</p> : null
  return (
    <p className="wallet-link">
      <a href={link} target="_blank" rel="noopener noreferrer">
        {t('link.open')}
      </a>
    </p>
  )
}
