import {
  Field,
  fieldRule,
  FormSection,
  MultiSelect,
  Select,
  useFormValue,
  useGroupNames,
  useTexts,
} from '#console'
import { ModelField } from './model-field.tsx'

/** Which models the channel serves, and for whom. */
export function ServingFields({ channelId }: { channelId: number | undefined }) {
  const t = useTexts('channels')
  const groups = useGroupNames()
  const models = useFormValue<string[]>('models') ?? []
  const testModel = useFormValue<string>('test_model')
  const choices = testModel && !models.includes(testModel) ? [testModel, ...models] : models
  return (
    <FormSection title={t('section.serving')}>
      <Field
        name="models"
        label={t('field.models')}
        isRequired
        rules={[fieldRule<string[]>((value) => (value?.length ? undefined : t('fault.models')))]}
      >
        <ModelField channelId={channelId} />
      </Field>
      <Field name="groups" label={t('field.groups')} help={t('help.groups')} isRequired>
        <MultiSelect choices={groups.data ?? []} source={groups} isOpen />
      </Field>
      <Field name="test_model" label={t('field.testModel')} help={t('help.testModel')}>
        <Select choices={choices} isSearchable isClearable isOpen />
      </Field>
    </FormSection>
  )
}
