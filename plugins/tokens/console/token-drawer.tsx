import { Input } from '@arco-design/web-react'
import {
  api,
  EditDrawer,
  type Editing,
  Field,
  fieldRule,
  FormSection,
  MultiSelect,
  QuotaInput,
  Select,
  Toggle,
  toast,
  tokenNameOf,
  useAutomaticGroup,
  useFormValue,
  useInitial,
  useOwnGroups,
  useOwnModels,
  useQuotaStyle,
  useStatus,
  useTexts,
} from '#console'
import { CountInput } from './count-input.tsx'
import { type Batch, createTokens } from './create-tokens.ts'
import { ExpiryInput } from './expiry-input.tsx'
import type { Token } from '../schema.ts'
import {
  automaticGroup,
  bodyOf,
  emptyForm,
  formOf,
  longestName,
  shownOf,
  type TokenForm,
} from './token-form.ts'

const quotaPresets = [1, 10, 50, 100, 500, 1000]

/** Creates tokens, or edits one. */
export function TokenDrawer({
  editing,
  onSaved,
  onMade,
}: {
  editing: Editing<Token>
  onSaved: () => Promise<unknown>
  onMade: (batch: Batch, wanted: number) => void
}) {
  const { record: token, isOpen, close } = editing
  const t = useTexts('tokens')
  const { quotaPerUnit } = useQuotaStyle()
  const group = useFirstGroup()
  const initial = useInitial(editing, (old) => (old ? formOf(old) : emptyForm(quotaPerUnit, group)))
  const save = async (form: TokenForm) => {
    if (token) {
      const { id, shown_remain_quota } = token
      const body = { id, ...bodyOf(form), shown_remain_quota, shown: shownOf(token) }
      // After a refusal, too: the form is opened from the list, which may be older than the token.
      await api.put('/api/token/', body).finally(onSaved)
      toast.success(t('saved'))
    } else {
      onMade(await createTokens(form), form.count || 1)
      await onSaved()
    }
  }
  return (
    <EditDrawer<TokenForm>
      title={token ? t('edit', { name: tokenNameOf(token) }) : t('create')}
      isOpen={isOpen}
      onClose={close}
      initial={initial}
      onSave={save}
      slot={{ id: 'token', record: token }}
      saveLabel={token ? undefined : t('create')}
    >
      <BasicsFields isNew={!token} />
      <FormSection title={t('section.quota')}>
        <Field
          name="unlimited_quota"
          label={t('field.unlimited')}
          help={t('field.unlimitedHelp')}
          valueName="checked"
        >
          <Toggle />
        </Field>
        <QuotaField />
      </FormSection>
      <LimitFields />
    </EditDrawer>
  )
}

function BasicsFields({ isNew }: { isNew: boolean }) {
  const t = useTexts('tokens')
  return (
    <FormSection title={t('section.basics')}>
      <Field
        name="name"
        label={t('field.name')}
        help={t('field.nameHelp')}
        isRequired
        rules={[
          fieldRule<string>((value) =>
            Array.from(value ?? '').length > longestName ? t('fault.tooLong') : undefined,
          ),
        ]}
      >
        <Input />
      </Field>
      {isNew ? (
        <Field
          name="count"
          label={t('field.count')}
          help={t('field.countHelp')}
          rules={[
            fieldRule<number>((value) =>
              Number.isInteger(value) && Number(value) > 0 ? undefined : t('fault.count'),
            ),
          ]}
        >
          <CountInput />
        </Field>
      ) : null}
      <GroupField />
      <Field name="expired_time" label={t('field.expires')} help={t('field.expiresHelp')}>
        <ExpiryInput />
      </Field>
    </FormSection>
  )
}

/** The group that the form of a new token begins with. */
function useFirstGroup(): string {
  const isOffered = useAutomaticGroup() !== undefined
  const isFirst = useStatus()?.['default_use_auto_group'] === true
  return isOffered && isFirst ? automaticGroup : ''
}

function GroupField() {
  const t = useTexts('tokens')
  const groups = useOwnGroups()
  const automatic = useAutomaticGroup()
  const choices = [
    { value: '', label: t('ownGroup') },
    ...(automatic === undefined
      ? []
      : [{ value: automaticGroup, label: t('automaticChoice', { desc: automatic }) }]),
    ...Object.entries(groups.data ?? {}).map(([name, { desc, ratio }]) => ({
      value: name,
      label: t('groupChoice', { name, ratio, desc: desc || name }),
    })),
  ]
  return (
    <Field name="group" label={t('field.group')} help={t('field.groupHelp')}>
      <Select choices={choices} source={groups} isSearchable />
    </Field>
  )
}

function QuotaField() {
  const t = useTexts('tokens')
  const isUnlimited = useFormValue<boolean>('unlimited_quota') ?? false
  return (
    <Field
      name="remain_quota"
      label={t('field.quota')}
      help={t('field.quotaHelp')}
      rules={[
        fieldRule<number>((value) =>
          isUnlimited || (value !== undefined && value >= 0) ? undefined : t('fault.quota'),
        ),
      ]}
    >
      <QuotaInput presets={quotaPresets} disabled={isUnlimited} />
    </Field>
  )
}

function LimitFields() {
  const t = useTexts('tokens')
  const models = useOwnModels()
  return (
    <FormSection title={t('section.limits')} hint={t('sectionHint.limits')}>
      <Field name="models" label={t('field.models')} help={t('field.modelsHelp')}>
        <MultiSelect choices={models.data ?? []} source={models} isOpen isClearable />
      </Field>
      <Field name="allow_ips" label={t('field.addresses')} help={t('field.addressesHelp')}>
        <Input.TextArea
          className="code"
          autoSize={{ minRows: 3, maxRows: 10 }}
          spellCheck={false}
        />
      </Field>
    </FormSection>
  )
}
