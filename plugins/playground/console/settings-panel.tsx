import { Input, Slider } from '@arco-design/web-react'
import { useId } from 'react'
import { NumberInput, Select, useTexts } from '#console'
import type { Settings } from './request.ts'
import type { Offer } from './use-settings.ts'

interface PanelProps {
  settings: Settings
  offer: Offer
  onChange(changes: Partial<Settings>): void
}

export function SettingsPanel({ settings, offer, onChange }: PanelProps) {
  const t = useTexts('playground')
  return (
    <div className="playground-settings">
      <ServedBy settings={settings} offer={offer} onChange={onChange} />
      <div className="setting">
        <span className="setting-label">
          {t('settings.temperature')}
          <output className="number">{settings.temperature}</output>
        </span>
        <Temperature
          value={settings.temperature}
          onChange={(temperature) => onChange({ temperature })}
        />
      </div>
      <AnswerFields settings={settings} onChange={onChange} />
    </div>
  )
}

/** Which group is charged, and which model answers. */
function ServedBy({ settings, offer, onChange }: PanelProps) {
  const t = useTexts('playground')
  return (
    <>
      <div className="setting">
        <span className="setting-label">{t('settings.group')}</span>
        <Select<string>
          label={t('settings.group')}
          value={settings.group || undefined}
          onChange={(group) => onChange({ group })}
          isLoading={offer.isLoading}
          choices={offer.groups.map(({ name, ratio, desc }) => ({
            value: name,
            label: t('settings.groupChoice', { name, ratio, desc: desc || name }),
          }))}
        />
      </div>
      <div className="setting">
        <span className="setting-label">{t('settings.model')}</span>
        <Select<string>
          label={t('settings.model')}
          value={settings.model || undefined}
          onChange={(model) => onChange({ model })}
          isLoading={offer.isLoading}
          isSearchable
          choices={offer.models}
        />
      </div>
    </>
  )
}

/** The maximum length of the answer, and the system prompt. */
function AnswerFields({ settings, onChange }: Omit<PanelProps, 'offer'>) {
  const t = useTexts('playground')
  const id = useId()
  return (
    <>
      <div className="setting">
        <label className="setting-label" htmlFor={`${id}max`}>
          {t('settings.maxTokens')}
        </label>
        <NumberInput
          id={`${id}max`}
          value={settings.max_tokens}
          min={0}
          max={1_000_000_000}
          precision={0}
          onChange={(max = 0) => {
            if (!Number.isNaN(max)) onChange({ max_tokens: max })
          }}
        />
        <p className="setting-help">{t('settings.maxTokensHelp')}</p>
      </div>
      <div className="setting">
        <label className="setting-label" htmlFor={`${id}system`}>
          {t('settings.system')}
        </label>
        <Input.TextArea
          id={`${id}system`}
          value={settings.system}
          maxLength={{ length: 20_000, errorOnly: true }}
          autoSize={{ minRows: 3, maxRows: 10 }}
          onChange={(system) => onChange({ system })}
        />
      </div>
    </>
  )
}

/** 0.1 to 1 in steps of 0.1. Arco's handle has the slider's role and keys, but no way to set its accessible name. */
function Temperature({ value, onChange }: { value: number; onChange(value: number): void }) {
  const t = useTexts('playground')
  return (
    <span
      ref={(box) => {
        box?.querySelector('[role=slider]')?.setAttribute('aria-label', t('settings.temperature'))
      }}
    >
      <Slider
        value={value}
        min={0.1}
        max={1}
        step={0.1}
        onChange={(next) => onChange(Math.round(Number(next) * 10) / 10)}
      />
    </span>
  )
}
