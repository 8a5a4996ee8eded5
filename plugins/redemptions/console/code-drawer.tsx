import { Input } from '@arco-design/web-react'
import {
  api,
  EditDrawer,
  type Editing,
  Field,
  fieldRule,
  formatQuota,
  FormSection,
  MomentInput,
  NumberInput,
  QuotaInput,
  toast,
  useInitial,
  useQuotaStyle,
  useTexts,
} from '#console'
import { LONGEST_NAME, MOST_CODES, type Redemption } from '../schema.ts'
import { bodyOf, type CodeForm, emptyForm, formOf } from './code-form.ts'

const quotaPresets = [1, 5, 10, 50, 100, 500]

/** Creates codes, or edits an existing one. */
export function CodeDrawer({
  editing,
  onSaved,
  onMade,
}: {
  editing: Editing<Redemption>
  onSaved: () => Promise<unknown>
  onMade: (name: string, codes: string[]) => void
}) {
  const { record: code, isOpen, close } = editing
  const t = useTexts('redemptions')
  const style = useQuotaStyle()
  const initial = useInitial(editing, (old) => (old ? formOf(old) : emptyForm()))
  const save = async (form: CodeForm) => {
    const body = bodyOf(form, (units) => formatQuota(units, style))
    if (code) {
      const { id, name, quota, expired_time } = code
      const shown = { name, quota, expired_time }
      try {
        await api.put('/api/redemption/', { id, ...body, shown })
      } catch (error) {
        // The code may have been changed elsewhere, so the list is reloaded.
        await onSaved()
        throw error
      }
      toast.success(t('saved'))
    } else {
      const codes = await api.post<string[]>('/api/redemption/', { ...body, count: form.count })
      onMade(body.name, codes)
    }
    await onSaved()
  }
  return (
    <EditDrawer<CodeForm>
      title={code ? t('edit', { name: code.name }) : t('create')}
      isOpen={isOpen}
      onClose={close}
      initial={initial}
      onSave={save}
      saveLabel={code ? undefined : t('create')}
    >
      <CodeFields isNew={!code} />
    </EditDrawer>
  )
}

function CodeFields({ isNew }: { isNew: boolean }) {
  const t = useTexts('redemptions')
  const isWhole = (value: number | undefined, most: number) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most
  return (
    <FormSection>
      <Field
        name="name"
        label={t('field.name')}
        help={t('field.nameHelp')}
        isRequired={!isNew}
        rules={[
          fieldRule<string>((value) =>
            Array.from((value ?? '').trim()).length > LONGEST_NAME ? t('fault.name') : undefined,
          ),
        ]}
      >
        <Input />
      </Field>
      <Field
        name="quota"
        label={t('field.quota')}
        help={t('field.quotaHelp')}
        isRequired
        rules={[
          fieldRule<number>((value) =>
            isWhole(value, Number.MAX_SAFE_INTEGER) ? undefined : t('fault.quota'),
          ),
        ]}
      >
        <QuotaInput presets={quotaPresets} />
      </Field>
      {isNew ? (
        <Field
          name="count"
          label={t('field.count')}
          help={t('field.countHelp')}
          rules={[
            fieldRule<number>((value) =>
              isWhole(value, MOST_CODES) ? undefined : t('fault.count'),
            ),
          ]}
        >
          <NumberInput min={1} max={MOST_CODES} precision={0} />
        </Field>
      ) : null}
      <Field name="expired_time" label={t('field.expires')} help={t('field.expiresHelp')}>
        <MomentInput label={t('field.expires')} none={t('never')} />
      </Field>
    </FormSection>
  )
}
