import { Input } from '@arco-design/web-react'
import {
  api,
  EditDrawer,
  type Editing,
  Field,
  fieldRule,
  FormSection,
  NumberInput,
  QuotaInput,
  Select,
  Toggle,
  toast,
  useData,
  useInitial,
  useTexts,
} from '#console'
import { counts, LONGEST_NAME, periods, type ShownBudget } from '../schema.ts'
import { bodyOf, type BudgetForm, emptyBudget, formOf } from './budget.ts'

const presets = [1, 5, 10, 50, 100, 500]

/** Makes a budget, or edits the one given. */
export function BudgetDrawer({
  editing,
  onSaved,
}: {
  editing: Editing<ShownBudget>
  onSaved: () => Promise<unknown>
}) {
  const { record: budget, isOpen, close } = editing
  const t = useTexts('budgets')
  const initial = useInitial(editing, (old) => formOf(old ?? emptyBudget))
  const save = async (form: BudgetForm) => {
    if (budget) await api.put(`/api/budgets/${budget.id}`, bodyOf(form))
    else await api.post('/api/budgets/', bodyOf(form))
    toast.success(t(budget ? 'saved' : 'made', { name: form.name.trim() }))
    await onSaved()
  }
  return (
    <EditDrawer<BudgetForm>
      title={budget ? t('edit', { name: budget.name }) : t('add')}
      isOpen={isOpen}
      onClose={close}
      initial={initial}
      onSave={save}
      saveLabel={budget ? undefined : t('add')}
    >
      <LimitFields />
      <ScopeFields />
    </EditDrawer>
  )
}

function LimitFields() {
  const t = useTexts('budgets')
  const isWhole = (value: number | undefined) => Number.isInteger(value) && Number(value) >= 1
  return (
    <FormSection title={t('section.limit')} hint={t('section.limitHint')}>
      <Field name="name" label={t('field.name')} help={t('field.nameHelp')} isRequired>
        <Input maxLength={LONGEST_NAME} />
      </Field>
      <Field name="period" label={t('field.period')} help={t('field.periodHelp')} isRequired>
        <Select choices={periods.map((value) => ({ value, label: t(`period.${value}`) }))} />
      </Field>
      <Field
        name="limit"
        label={t('field.limit')}
        isRequired
        rules={[fieldRule<number>((value) => (isWhole(value) ? undefined : t('fault.limit')))]}
      >
        <QuotaInput presets={presets} />
      </Field>
      <Field name="count" label={t('field.count')} help={t('field.countHelp')} isRequired>
        <Select choices={counts.map((value) => ({ value, label: t(`count.${value}`) }))} />
      </Field>
      <Field name="enabled" label={t('field.enabled')} valueName="checked">
        <Toggle />
      </Field>
    </FormSection>
  )
}

function ScopeFields() {
  const t = useTexts('budgets')
  const groups = useData<string[]>('/api/group/')
  const models = useData<string[]>('/api/channel/models_enabled')
  return (
    <FormSection title={t('section.scope')} hint={t('section.scopeHint')}>
      <Field name="user_id" label={t('field.user')} help={t('field.any')}>
        <NumberInput min={1} precision={0} />
      </Field>
      <Field name="token_id" label={t('field.token')} help={t('field.any')}>
        <NumberInput min={1} precision={0} />
      </Field>
      <Field name="group" label={t('field.group')} help={t('field.any')}>
        <Select choices={groups.data ?? []} source={groups} isClearable isSearchable isOpen />
      </Field>
      <Field name="model" label={t('field.model')} help={t('field.modelHelp')}>
        <Select choices={models.data ?? []} source={models} isClearable isSearchable isOpen />
      </Field>
    </FormSection>
  )
}
