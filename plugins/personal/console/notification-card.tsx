import { Button, Form, Input, Radio } from '@arco-design/web-react'
import {
  api,
  Card,
  Field,
  fieldRule,
  focusFirstFault,
  objectIn,
  PasswordInput,
  QuotaInput,
  readUrl,
  Toggle,
  toast,
  useFormAction,
  useData,
  useFormValue,
  useQuotaStyle,
  useTexts,
} from '#console'
import { useState } from 'react'
import type { CardOf } from './own.ts'

interface Notices {
  notify_type: string
  quota_warning_threshold: number
  webhook_url: string
  webhook_secret: string
  notification_email: string
  accept_unset_model_ratio_model: boolean
}

/** Thresholds of accounts without one: of the form before it is saved for the first time, and of a saved form. */
const FIRST_THRESHOLD = 100_000
const SAVED_THRESHOLD = 500_000
/** Units, as the specification offers them. */
const PRESETS = [100_000, 500_000, 1_000_000, 5_000_000]

/** The values of absent fields. The threshold has none here: it is always saved as shown, because the site's default may differ. */
const untouched: Omit<Notices, 'quota_warning_threshold'> = {
  notify_type: 'email',
  webhook_url: '',
  webhook_secret: '',
  notification_email: '',
  accept_unset_model_ratio_model: false,
}

const formId = 'notices'
const formPart = () => document.getElementById(formId)

/** When and how the account's owner is warned. */
export function NotificationCard({ own, onChange, onEdited }: CardOf) {
  const t = useTexts('personal')
  const [form] = Form.useForm<Notices>()
  // The values that filled the form. Another page may have saved since, so fields that were not touched here are not sent.
  const [shown, setShown] = useState(() => read(own.setting))
  const [save, isSaving] = useFormAction(form, formPart, async (notices: Notices) => {
    const changes = changesOf(notices, shown)
    await api.put('/api/user/setting', changes)
    setShown({ ...shown, ...changes })
    onEdited('notices', false)
    toast.success(t('notices.saved'))
    await onChange()
  })
  return (
    <Card title={t('notices.title')} hint={t('notices.hint')}>
      <Form<Notices>
        id={formId}
        form={form}
        layout="vertical"
        requiredSymbol={{ position: 'end' }}
        initialValues={noticesOf(shown)}
        onChange={() => onEdited('notices', true)}
        onSubmitFailed={() => focusFirstFault(formPart())}
        onSubmit={(values) => void save({ ...noticesOf(shown), ...values })}
      >
        <Field name="notify_type" label={t('notices.type')}>
          <Ways />
        </Field>
        <Receiver />
        <Field
          name="quota_warning_threshold"
          label={t('notices.threshold')}
          help={t('notices.thresholdHelp')}
          isRequired
          rules={[
            fieldRule<number>((value) =>
              value !== undefined && value > 0 ? undefined : t('notices.above'),
            ),
          ]}
        >
          <Threshold />
        </Field>
        <Field
          name="accept_unset_model_ratio_model"
          label={t('notices.unset')}
          help={t('notices.unsetHelp')}
          valueName="checked"
        >
          <Toggle />
        </Field>
        <div>
          <Button type="secondary" htmlType="submit" loading={isSaving}>
            {t('save')}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

interface Way {
  id: string
  name: string
}

/** Those that plugins bring; what was chosen stays to be seen while its plugin is off. */
function Ways({ value, onChange }: { value?: string; onChange?(way: string): void }) {
  const t = useTexts('personal')
  const { data } = useData<Way[]>('/api/user/notifiers')
  const offered: Way[] = data ?? [{ id: 'email', name: t('notices.email') }]
  const isGone = value !== undefined && !offered.some(({ id }) => id === value)
  const ways = isGone
    ? [...offered, { id: value, name: t('notices.gone', { way: value }) }]
    : offered
  return (
    <Radio.Group value={value} onChange={onChange}>
      {ways.map(({ id, name }) => (
        <Radio key={id} value={id}>
          {name}
        </Radio>
      ))}
    </Radio.Group>
  )
}

function Receiver() {
  const t = useTexts('personal')
  const way = useFormValue<string>('notify_type') ?? 'email'
  // A notifier of a plugin asks for its own settings.
  if (way !== 'email' && way !== 'webhook') return null
  if (way === 'email')
    return (
      <Field name="notification_email" label={t('notices.address')} help={t('notices.addressHelp')}>
        <Input type="email" autoComplete="email" maxLength={254} />
      </Field>
    )
  return (
    <>
      <Field
        name="webhook_url"
        label={t('notices.url')}
        isRequired
        rules={[
          fieldRule<string>((value) =>
            !value || isHttps(value.trim()) ? undefined : t('notices.https'),
          ),
        ]}
      >
        <Input maxLength={2048} placeholder="https://example.com/webhook" />
      </Field>
      <Field name="webhook_secret" label={t('notices.secret')} help={t('notices.secretHelp')}>
        <PasswordInput autoComplete="off" maxLength={512} />
      </Field>
    </>
  )
}

function Threshold(props: { id?: string; value?: number; onChange?(units?: number): void }) {
  const { quotaPerUnit } = useQuotaStyle()
  return <QuotaInput {...props} presets={PRESETS.map((units) => units / quotaPerUnit)} />
}

/** The unsaved values that differ from the form as it was filled. */
function changesOf(notices: Notices, shown: Partial<Notices>): Partial<Notices> {
  const before: Partial<Notices> = { ...untouched, ...shown }
  const entries = Object.entries(notices) as [keyof Notices, unknown][]
  return Object.fromEntries(entries.filter(([name, value]) => value !== before[name]))
}

function noticesOf(saved: Partial<Notices>): Notices {
  // The language of an account stands among its settings from the first day.
  const isSaved = Object.keys(untouched).some((name) => name in saved)
  return {
    ...untouched,
    quota_warning_threshold: isSaved ? SAVED_THRESHOLD : FIRST_THRESHOLD,
    ...saved,
  }
}

function read(text: string): Partial<Notices> {
  return objectIn(text) ?? {}
}

function isHttps(text: string): boolean {
  return readUrl(text)?.protocol === 'https:'
}
