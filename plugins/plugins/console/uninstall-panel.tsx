import { Button, Radio } from '@arco-design/web-react'
import { useState } from 'react'
import { api, confirm, SidePanel, toast, useAction, useTexts } from '#console'
import type { PluginRow } from '../schema.ts'

type Fate = 'keep' | 'drop'

export interface UninstallPanelProps {
  row: PluginRow | undefined
  onClose(): void
  onDone(): Promise<unknown>
}

/** Asks what becomes of what the plugin leaves behind. */
export function UninstallPanel({ row, onClose, onDone }: UninstallPanelProps) {
  const t = useTexts('plugins')
  const [tables, setTables] = useState<Fate>('keep')
  const [options, setOptions] = useState<Fate>('keep')
  /** A choice is of one plugin: it does not stand there for the next. */
  const leave = () => {
    setTables('keep')
    setOptions('keep')
    onClose()
  }
  const [uninstall, isRunning] = useAction(async () => {
    if (!row || !(await isMeant(row, tables === 'drop' || options === 'drop', t))) return
    const body = { id: row.id, tables, options }
    const { folder } = await api.post<{ folder: string }>('/api/plugin/uninstall', body)
    toast.success(
      folder ? t('uninstall.doneFolder', { folder }) : t('uninstall.done', { name: row.name }),
    )
    await onDone()
    leave()
  })
  return (
    <SidePanel
      title={t('uninstall.title', { name: row?.name })}
      isOpen={row !== undefined}
      onClose={leave}
      footer={
        <div className="plugin-install-foot">
          <Button onClick={leave}>{t('install.cancel')}</Button>
          <Button
            type="primary"
            status="danger"
            loading={isRunning}
            onClick={() => void uninstall()}
          >
            {t('uninstall.start')}
          </Button>
        </div>
      }
    >
      <p className="plugin-hooks-hint">
        {t(row?.source === 'folder' ? 'uninstall.hintFolder' : 'uninstall.hint')}
      </p>
      <FateChoice name="tables" value={tables} onChange={setTables} />
      <FateChoice name="options" value={options} onChange={setOptions} />
    </SidePanel>
  )
}

function isMeant(
  { id, name }: PluginRow,
  isDropping: boolean,
  t: ReturnType<typeof useTexts>,
): Promise<boolean> {
  if (!isDropping) return Promise.resolve(true)
  return confirm(() => ({
    title: t('uninstall.dropTitle', { name }),
    content: t('uninstall.dropHint'),
    confirmLabel: t('uninstall.start'),
    isDanger: true,
    typeToConfirm: id,
  }))
}

function FateChoice({
  name,
  value,
  onChange,
}: {
  name: 'tables' | 'options'
  value: Fate
  onChange(fate: Fate): void
}) {
  const t = useTexts('plugins')
  return (
    <fieldset className="plugin-fate">
      <legend>{t(`uninstall.${name}`)}</legend>
      <Radio.Group value={value} onChange={onChange} direction="vertical" name={name}>
        <Radio value="keep">{t(`uninstall.keep.${name}`)}</Radio>
        <Radio value="drop">{t(`uninstall.drop.${name}`)}</Radio>
      </Radio.Group>
    </fieldset>
  )
}
