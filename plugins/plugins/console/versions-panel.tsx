import { Button } from '@arco-design/web-react'
import { api, confirm, Label, SidePanel, StatusTag, toast, useAction, useTexts } from '#console'
import type { PluginRow, PluginVersion } from '../schema.ts'
import { confirmAsks } from './asks.tsx'

export interface VersionsPanelProps {
  row: PluginRow | undefined
  onClose(): void
  onDone(): Promise<unknown>
}

/** The installed versions of a plugin: takes another one, or removes one that nobody needs. */
export function VersionsPanel({ row, onClose, onDone }: VersionsPanelProps) {
  const t = useTexts('plugins')
  const [use, isTaking] = useAction(async (version: PluginVersion, isOlder: boolean) => {
    if (!row || (isOlder && !(await confirmRollBack(version, row, t)))) return
    const agreed = row.enabled ? await confirmAsks(row, version.version) : {}
    if (!agreed) return
    try {
      const body = { id: row.id, version: version.version, ...agreed }
      await api.put('/api/plugin/version', body)
      toast.success(t('versions.taken', { name: row.name, version: version.version }))
    } finally {
      await onDone()
    }
  })
  const [remove, isRemoving] = useAction(async ({ version }: PluginVersion) => {
    const question = {
      title: t('versions.removeTitle', { name: row?.name, version }),
      content: t('versions.removeHint'),
      confirmLabel: t('versions.remove'),
      isDanger: true,
    }
    if (!row || !(await confirm(question))) return
    await api.post('/api/plugin/remove-version', { id: row.id, version })
    toast.success(t('versions.removed', { version }))
    await onDone()
  })
  const versions = row?.versions ?? []
  const currentAt = versions.findIndex(({ is_current: isCurrent }) => isCurrent)
  return (
    <SidePanel
      title={t('versions.title', { name: row?.name })}
      isOpen={row !== undefined}
      onClose={onClose}
    >
      <p className="plugin-hooks-hint">{t('versions.hint')}</p>
      <ul className="plugin-versions">
        {versions.map((version, at) => (
          <VersionItem
            key={version.version}
            version={version}
            isOlder={currentAt >= 0 && at > currentAt}
            isBusy={isTaking || isRemoving}
            onUse={(isOlder) => void use(version, isOlder)}
            onRemove={() => void remove(version)}
          />
        ))}
      </ul>
    </SidePanel>
  )
}

function confirmRollBack(
  { version, newer_steps: steps }: PluginVersion,
  row: PluginRow,
  t: ReturnType<typeof useTexts>,
): Promise<boolean> {
  return confirm(() => ({
    title: t('versions.backTitle', { name: row.name, version }),
    content:
      steps.length > 0
        ? t('versions.backSteps', { steps: steps.join(', ') })
        : t('versions.backPlain'),
    confirmLabel: t('versions.back'),
  }))
}

function VersionItem({
  version,
  isOlder,
  isBusy,
  onUse,
  onRemove,
}: {
  version: PluginVersion
  isOlder: boolean
  isBusy: boolean
  onUse(isOlder: boolean): void
  onRemove(): void
}) {
  const t = useTexts('plugins')
  return (
    <li>
      <div className="plugin-version-head">
        <Label isCode>{version.version}</Label>
        {version.is_current ? (
          <StatusTag tone="success">{t('versions.current')}</StatusTag>
        ) : (
          <span className="plugin-version-actions">
            <Button size="small" disabled={isBusy} onClick={() => onUse(isOlder)}>
              {t(isOlder ? 'versions.back' : 'versions.up')}
            </Button>
            <Button size="small" type="text" disabled={isBusy} onClick={onRemove}>
              {t('versions.remove')}
            </Button>
          </span>
        )}
      </div>
      {version.error ? <p className="tone-danger">{version.error}</p> : null}
    </li>
  )
}
