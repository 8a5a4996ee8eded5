import { Input } from '@arco-design/web-react'
import { Field, FormSection, NumberInput, Toggle, useTexts } from '#console'

export const lowestPriority = -999

/** When the channel's turn comes. */
export function RoutingFields() {
  const t = useTexts('channels')
  return (
    <FormSection title={t('section.routing')}>
      <div className="channel-pair">
        <Field name="priority" label={t('field.priority')} help={t('help.priority')}>
          <NumberInput min={lowestPriority} precision={0} hasButtons />
        </Field>
        <Field name="weight" label={t('field.weight')} help={t('help.weight')}>
          <NumberInput min={0} precision={0} hasButtons />
        </Field>
      </div>
      <Field name="tag" label={t('field.tag')} help={t('help.tag')}>
        <Input maxLength={255} allowClear />
      </Field>
      <Field
        name="auto_ban"
        label={t('field.autoBan')}
        help={t('help.autoBan')}
        valueName="checked"
      >
        <Toggle />
      </Field>
      <Field
        name="max_input_tokens"
        label={t('field.maxInputTokens')}
        help={t('help.maxInputTokens')}
      >
        <NumberInput min={0} precision={0} />
      </Field>
    </FormSection>
  )
}
