import { Input } from '@arco-design/web-react'
import {
  Field,
  fieldRule,
  FormSection,
  GrowingText,
  useFormValue,
  usePreferences,
  useTexts,
} from '#console'
import type { ChannelForm } from './channel-form.ts'
import { type ChannelType, useChannelTypes, useWords } from '../channel-types.ts'
import { ProviderPicker } from './provider-picker.tsx'
import { readSetting } from './setting-json.ts'
import { StoredKey } from './stored-key.tsx'
import { useNeedsKeyAgain } from './use-needs-key-again.ts'

/** Type 1 alone sends an organisation. */
const openAiType = 1

/** Where calls go, and with which key. */
export function UpstreamFields({ record }: { record: ChannelForm | undefined }) {
  const t = useTexts('channels')
  const types = useChannelTypes()
  const language = usePreferences((preferences) => preferences.language)
  const chosen = useFormValue<number>('type')
  const type = types.find((entry) => entry.type === chosen)
  return (
    <FormSection title={t('section.upstream')}>
      <Field
        name="type"
        label={t('field.type')}
        // Adapters describe themselves in English only.
        help={language === 'en' ? type?.summary : undefined}
        isRequired
      >
        <ProviderPicker />
      </Field>
      <Field name="name" label={t('field.name')} isRequired>
        <Input maxLength={255} />
      </Field>
      <KeyField record={record} type={type} />
      <StoredKey id={record?.id} />
      <AddressField type={type} />
      <OtherField type={type} />
      {chosen === openAiType ? (
        <Field
          name="openai_organization"
          label={t('field.organization')}
          help={t('help.organization')}
        >
          <Input placeholder="org-…" />
        </Field>
      ) : null}
    </FormSection>
  )
}

function KeyField({
  record,
  type,
}: {
  record: ChannelForm | undefined
  type: ChannelType | undefined
}) {
  const t = useTexts('channels')
  const words = useWords()
  const isNew = record === undefined
  const isAskedAgain = useNeedsKeyAgain(record)
  const hasSeveral = readSetting(useFormValue<string>('setting'))?.['multi_key'] === true
  const isDocument = type?.form.isMultilineKey ?? false
  const help = [
    words(type?.form.key),
    hasSeveral ? t(isDocument ? 'help.keysAsList' : 'help.keysOfOne') : undefined,
    isNew && !isDocument && !hasSeveral ? t('help.manyKeys') : undefined,
    isNew ? undefined : t(isAskedAgain ? 'help.keyAgain' : 'help.keepKey'),
  ]
  return (
    <Field
      name="key"
      label={t('field.key')}
      help={help.filter(Boolean).join(' ')}
      isRequired={isNew || isAskedAgain}
      requiredText={isAskedAgain ? t('help.keyAgain') : undefined}
    >
      <GrowingText
        className="code"
        minRows={isDocument ? 4 : 1}
        maxRows={8}
        spellCheck={false}
        autoComplete="off"
        placeholder={isNew || isAskedAgain ? undefined : t('placeholder.keepKey')}
      />
    </Field>
  )
}

function AddressField({ type }: { type: ChannelType | undefined }) {
  const t = useTexts('channels')
  const words = useWords()
  const ask = type?.form.baseUrl
  const help = words(ask?.help) ?? (type?.base_url ? t('help.baseUrl') : undefined)
  return (
    <Field
      name="base_url"
      label={t('field.baseUrl')}
      help={help}
      isRequired={ask?.required}
      rules={[
        fieldRule<string>((value) =>
          !value?.trim() || isWebAddress(value) ? undefined : t('fault.address'),
        ),
      ]}
    >
      <Input className="code" placeholder={type?.base_url} inputMode="url" spellCheck={false} />
    </Field>
  )
}

function OtherField({ type }: { type: ChannelType | undefined }) {
  const t = useTexts('channels')
  const words = useWords()
  const ask = type?.form.other
  if (!ask) return null
  const isLong = ask.help ? words(ask.help)?.includes('JSON') : false
  return (
    <Field
      name="other"
      label={words(ask.label) ?? t('field.other')}
      help={words(ask.help)}
      isRequired={ask.required}
    >
      {isLong ? (
        <Input.TextArea
          className="code"
          autoSize={{ minRows: 2, maxRows: 10 }}
          spellCheck={false}
          placeholder={ask.default}
        />
      ) : (
        <Input className="code" placeholder={ask.default} spellCheck={false} />
      )}
    </Field>
  )
}

function isWebAddress(text: string): boolean {
  // `{model}` may stand in the address of a custom channel.
  return /^(https?|wss?):\/\/[^\s/]+/i.test(text.trim())
}
