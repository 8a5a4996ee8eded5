import { IconExclamationCircleFill } from '@arco-design/web-react/icon'
import { type Column, Hint, Label, StatusTag, type Texts, Toggle } from '#console'
import type { PluginRow } from '../schema.ts'
import { hasParkedHook, toneOf } from './plugin-row.ts'

export interface PluginTools {
  t: Texts
  /** The faults in the browser, by the plugin's id. */
  consoleFailures: Readonly<Record<string, string>>
  onSwitch: (row: PluginRow, enabled: boolean) => Promise<void>
}

/** The plugin that draws this screen. */
const ownId = 'plugins'

export function pluginColumns({ t, consoleFailures, onSwitch }: PluginTools): Column<PluginRow>[] {
  return [
    {
      id: 'name',
      title: t('column.name'),
      isTitle: true,
      render: ({ id, name }) => (
        <span className="plugin-name">
          <span>{name}</span>
          {name === id ? null : <code>{id}</code>}
        </span>
      ),
    },
    {
      id: 'state',
      title: t('column.state'),
      render: (row) => <State row={row} t={t} consoleFault={consoleFailures[row.id]} />,
    },
    {
      id: 'requires',
      title: t('column.requires'),
      isOptional: true,
      render: ({ requires }) => (
        <span className="labels">
          {requires.map((id) => (
            <Label key={id} isCode>
              {id}
            </Label>
          ))}
        </span>
      ),
    },
    {
      id: 'source',
      title: t('column.source'),
      render: ({ source }) => (
        <span className="plugin-source">
          {t.has(`source.${source}`) ? t(`source.${source}`) : source}
        </span>
      ),
    },
    {
      id: 'version',
      title: t('column.version'),
      render: ({ version, versions }) => (
        <span className="plugin-version">
          {version ? <code>{version}</code> : '–'}
          {versions.length > 1 ? (
            <small className="muted">{t('versions.count', { count: versions.length })}</small>
          ) : null}
        </span>
      ),
    },
    {
      id: 'enabled',
      title: t('column.enabled'),
      render: (row) => <Switch row={row} t={t} onSwitch={onSwitch} />,
    },
  ]
}

function State({
  row,
  t,
  consoleFault,
}: {
  row: PluginRow
  t: Texts
  consoleFault: string | undefined
}) {
  const faults = [
    row.error,
    hasParkedHook(row) ? t('hooks.someParked') : '',
    consoleFault ? t('consoleFailed', { message: consoleFault }) : '',
  ]
  return (
    <span className="plugin-state">
      <span>
        <StatusTag tone={toneOf[row.state]}>{t(`state.${row.state}`)}</StatusTag>
        {row.nodes.length > 0 ? (
          <span className="plugin-elsewhere tone-warning" role="img" aria-label={t('otherwise')}>
            <IconExclamationCircleFill />
          </span>
        ) : null}
      </span>
      {faults.filter(Boolean).map((fault) => (
        <small key={fault} className="tone-danger">
          {fault}
        </small>
      ))}
      {row.lacks_range ? <small className="muted">{t('lacksRange')}</small> : null}
      {row.nodes.map((node) => (
        <small key={node.node} className="tone-warning">
          {t(node.version ? 'onNode' : 'onNodeNone', {
            host: node.host,
            state: t(`state.${node.state}`),
            version: node.version,
            error: node.error,
          }).trim()}
        </small>
      ))}
    </span>
  )
}

function Switch({
  row,
  t,
  onSwitch,
}: {
  row: PluginRow
  t: Texts
  onSwitch: PluginTools['onSwitch']
}) {
  const isOwn = row.id === ownId || row.is_essential
  const toggle = (
    <Toggle
      size="small"
      label={t('switch', { name: row.name })}
      checked={row.enabled}
      disabled={isOwn}
      onChange={(enabled) => void onSwitch(row, enabled)}
    />
  )
  if (!isOwn) return toggle
  return (
    <Hint text={t(row.is_essential ? 'essential' : 'needed')}>
      <span tabIndex={0}>{toggle}</span>
    </Hint>
  )
}
