import { Field, FoldedSection, JsonField, jsonRule, useFormValue, useTexts } from '#console'
import { useChannelTypes } from '../channel-types.ts'
import type { ChannelForm } from './channel-form.ts'
import { SettingField, type SettingFault } from './setting-field.tsx'
import { useNeedsKeyAgain } from './use-needs-key-again.ts'

/** The settings that change requests and answers. */
export function ConversionFields({
  record,
  fault,
}: {
  record: ChannelForm | undefined
  fault: SettingFault | undefined
}) {
  const t = useTexts('channels')
  const rules = [jsonRule(t('fault.json'), 'object')]
  const chosen = useFormValue<number>('type')
  const secretsSet = useFormValue<string[] | undefined>('setting_secrets')
  const isMoved = useNeedsKeyAgain(record)
  const type = useChannelTypes().find((entry) => entry.type === chosen)
  return (
    <FoldedSection title={t('section.advanced')} hint={t('section.advancedHint')}>
      <Field
        name="model_mapping"
        label={t('field.modelMapping')}
        help={t('help.modelMapping')}
        rules={rules}
      >
        <JsonField isMap rows={3} example={{ 'gpt-4o': 'gpt-4o-2024-11-20' }} />
      </Field>
      <Field
        name="status_code_mapping"
        label={t('field.statusCodeMapping')}
        help={t('help.statusCodeMapping')}
        rules={rules}
      >
        <JsonField isMap rows={3} example={{ '400': '500' }} />
      </Field>
      <Field
        name="param_override"
        label={t('field.paramOverride')}
        help={t('help.paramOverride')}
        rules={rules}
      >
        <JsonField isMap rows={3} example={{ temperature: 0 }} />
      </Field>
      <Field name="setting" label={t('field.setting')} rules={rules}>
        <SettingField
          settings={type?.settings ?? null}
          namespace={type?.adapter}
          secretsSet={secretsSet}
          isMoved={isMoved}
          fault={fault}
        />
      </Field>
    </FoldedSection>
  )
}
